import { readdir } from 'node:fs/promises';

const inCore = (name) => `electron/core/${name}.ts`;

/**
 * What is mutated together: files, or folders with everything in them; and the tests that are about it. Each area is one run
 * of Stryker.
 */
export const AREAS = {
  classify: {
    mutate: ['electron/core/classify', inCore('hints')],
    tests: ['test/core/classify'],
  },
  identity: {
    mutate: ['identity', 'canonical', 'normal-form', 'schema-form', 'schema-refs', 'schema-positions'].map(inCore),
    tests: ['test/core/identity.test.ts', 'test/core/identity'],
  },
  lists: {
    mutate: ['observe', 'diff', 'names'].map(inCore),
    tests: ['test/core/observe.test.ts', 'test/core/names.test.ts', 'test/core/lists'],
  },
  state: {
    mutate: [
      ...['surface', 'reduce', 'review', 'view', 'intent', 'state', 'policy'].map(inCore),
      'electron/core/events',
    ],
    tests: ['test/core/model', 'test/core/forgetting.test.ts'],
  },
};

/** The pattern of one file or folder. */
export function globOf(entry) {
  return entry.endsWith('.ts') ? entry : `${entry}/**/*.ts`;
}

/** The files with tests among these files and folders, below the working directory. */
export async function testFiles(entries) {
  const lists = await Promise.all(
    entries.map(async (entry) => {
      if (entry.endsWith('.ts')) return [entry];
      return (await readdir(entry)).map((name) => `${entry}/${name}`);
    }),
  );
  // Properties that compile schemas take seconds; what they claim is claimed once more in terms of the validator.
  return lists.flat().filter((file) => file.endsWith('.test.ts') && !file.endsWith('.property.test.ts'));
}

/** The area that Stryker runs now, in a process of its own; the first one for tools that only read the settings. */
export function currentArea() {
  const name = process.env.HOLDFAST_MUTATION_AREA ?? 'classify';
  if (!Object.hasOwn(AREAS, name)) throw new Error(`There is no area ${name}; there are ${Object.keys(AREAS)}.`);
  return name;
}
