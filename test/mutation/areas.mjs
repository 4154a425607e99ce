const inCore = (name) => `electron/core/${name}.ts`;

/**
 * What is mutated together: files, or folders with everything in them. Each area is one run of Stryker with the tests in
 * `entries/<area>.mjs`, loaded as one, so that a mutant is judged in a second or so, and by tests that are about it.
 */
export const AREAS = {
  classify: ['electron/core/classify', inCore('hints')],
  identity: ['identity', 'canonical', 'normal-form', 'schema-form', 'schema-refs', 'schema-positions'].map(inCore),
  lists: ['observe', 'diff', 'names'].map(inCore),
  state: [
    ...['surface', 'reduce', 'review', 'view', 'intent', 'state', 'policy'].map(inCore),
    ...['electron/core/policy', 'electron/core/events'],
  ],
};

/** The pattern of one file or folder. */
export function globOf(entry) {
  return entry.endsWith('.ts') ? entry : `${entry}/**/*.ts`;
}

/** The area that Stryker runs now, in a process of its own; the first one for tools that only read the settings. */
export function currentArea() {
  const name = process.env.HOLDFAST_MUTATION_AREA ?? 'classify';
  if (!Object.hasOwn(AREAS, name)) throw new Error(`There is no area ${name}; there are ${Object.keys(AREAS)}.`);
  return name;
}
