import.meta.glob(['../../core/{observe,names}.test.ts', '../../core/lists/*.test.ts'], { eager: true });
