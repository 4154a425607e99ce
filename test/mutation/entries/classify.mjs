// Properties that compile schemas with ajv take seconds; what they claim is claimed once more in terms of the validator.
import.meta.glob(['../../core/classify/*.test.ts', '!**/*.property.test.ts'], { eager: true });
