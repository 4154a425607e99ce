import.meta.glob(
  ['../../core/model/*.test.ts', '../../core/{forgetting,policy}*.test.ts', '../../core/state/*.test.ts'],
  {
    eager: true,
  },
);
