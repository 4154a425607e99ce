import.meta.glob(['../../core/identity.test.ts', '../../core/identity/*.test.ts'], { eager: true });
