// A test runner of Stryker that starts no process and no worker per mutant: the tests of an area and the core are one
// script, which is run anew for each mutant in the process that Stryker has started already. Vitest needs more than a
// second to do the same, nearly all of it to start a worker and load the files.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { build } from 'esbuild';
import { AREAS, currentArea, testFiles } from './areas.mjs';

/** The global object by which the mutated code knows which mutant is on, and tells what it reached (INSTRUMENTER_CONSTANTS). */
const NAMESPACE = '__stryker__';

class InProcessRunner {
  #script;
  #expect;
  /** What a test has noticed so far, and the milliseconds that it took: what notices much in little time goes first. */
  #past = new Map();
  #namespace = (globalThis[NAMESPACE] ??= {});

  /** Module state is never shared by two mutants. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#script = new vm.Script(`(function (require, module, exports) {${await bundled()}\n})`, {
      filename: 'tests.cjs',
    });
    this.#expect = await vitestExpect();
  }

  async dryRun() {
    this.#namespace.activeMutant = undefined;
    this.#namespace.mutantCoverage = { static: {}, perTest: {} };
    const { tests, begin } = this.#load();
    await begin();
    const results = [];
    for (const { id, run } of tests) {
      this.#namespace.currentTestId = id;
      const at = performance.now();
      const failure = await failureOf(run);
      results.push({ id, name: id, timeSpentMs: performance.now() - at, ...statusOf(failure) });
      this.#namespace.currentTestId = undefined;
    }
    return { status: 'complete', tests: results, mutantCoverage: this.#namespace.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    const on = (id) => (this.#namespace.activeMutant = id);
    this.#namespace.hitCount = hitLimit === undefined ? undefined : 0;
    this.#namespace.hitLimit = hitLimit;
    this.#namespace.mutantCoverage = { static: {}, perTest: {} };
    on(mutantActivation === 'static' ? activeMutant.id : undefined);
    let nrOfTests = 0;
    try {
      const { tests, begin } = this.#load();
      on(activeMutant.id);
      await begin();
      for (const { id, run } of this.#inOrder(tests, testFilter)) {
        nrOfTests += 1;
        const at = performance.now();
        const failureMessage = await failureOf(run);
        this.#remember(id, failureMessage !== undefined, performance.now() - at);
        if (this.#namespace.hitCount > hitLimit) return { status: 'timeout', reason: 'it was run too often' };
        if (failureMessage === undefined) continue;
        return { status: 'killed', killedBy: [id], failureMessage, nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    } catch (error) {
      // The tests cannot even be read, or prepared: every one of them fails.
      return { status: 'killed', killedBy: [], failureMessage: String(error), nrOfTests };
    } finally {
      on(undefined);
    }
  }

  #inOrder(tests, testFilter) {
    const wanted = testFilter && new Set(testFilter);
    const chosen = wanted ? tests.filter(({ id }) => wanted.has(id)) : tests;
    const worthOf = ({ id }) => {
      const { kills, ms } = this.#past.get(id) ?? { kills: 0, ms: 1 };
      return (kills + 0.1) / (ms + 1);
    };
    return chosen.sort((a, b) => worthOf(b) - worthOf(a));
  }

  #remember(id, isKill, ms) {
    const past = this.#past.get(id) ?? { kills: 0, ms: 0 };
    this.#past.set(id, { kills: past.kills + (isKill ? 1 : 0), ms: past.ms + ms });
  }

  #load() {
    const collected = collector(this.#expect);
    globalThis[SHIM] = collected.vitest;
    const require = createRequire(path.resolve('package.json'));
    this.#script.runInThisContext()(require, { exports: {} }, {});
    return collected;
  }
}

/** What the tests import as `vitest`. */
const SHIM = '__holdfastVitest';

async function bundled() {
  const files = await testFiles(AREAS[currentArea()].tests);
  const contents = ['./test/support/seed.ts', ...files.map((file) => `./${file}`)]
    .map((file) => `import ${JSON.stringify(file)};`)
    .join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    ...{ bundle: true, write: false, format: 'cjs', platform: 'node', target: 'node20', logLevel: 'error' },
    plugins: [{ name: 'tests', setup: readTests }],
  });
  return outputFiles[0].text;
}

function readTests(building) {
  building.onResolve({ filter: /^vitest$/ }, ({ path: name }) => ({ path: name, namespace: 'shim' }));
  building.onLoad({ filter: /.*/, namespace: 'shim' }, () => ({ contents: `module.exports = globalThis.${SHIM};` }));
  // In a script, a file does not know where it is.
  building.onLoad({ filter: /[/\\](?:test|electron)[/\\].*\.ts$/ }, async ({ path: file }) => {
    const text = await readFile(file, 'utf8');
    return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)), loader: 'ts' };
  });
}

/** The `expect` of Vitest, without its test runs; snapshots and polling are not part of it. */
async function vitestExpect() {
  const inVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'));
  const parts = await import(pathToFileURL(inVitest.resolve('@vitest/expect')).href);
  const { chai, Any } = parts;
  for (const plugin of [parts.JestExtend, parts.JestChaiExpect, parts.JestAsymmetricMatchers]) chai.use(plugin);
  const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
  parts.setState({ assertionCalls: 0, isExpectingAssertions: false, testPath: '', currentTestName: '' }, expect);
  globalThis[parts.GLOBAL_EXPECT] = expect;
  chai.expect.extend(expect, parts.customMatchers);
  expect.any = (type) => new Any(type);
  return expect;
}

/** Collects tests as Vitest does; each has a name of its own. */
function collector(expect) {
  const tests = [];
  const befores = [];
  const groups = [];
  const body = (options, run) => (typeof options === 'function' ? options : run);
  const it = (name, options, run) => {
    const id = [...groups, name, `#${tests.length}`].join(' > ');
    tests.push({ id, run: body(options, run) });
  };
  const describe = (name, options, run) => {
    groups.push(name);
    body(options, run)();
    groups.pop();
  };
  const each = (base) => (rows) => (name, options, run) =>
    rows.forEach((row) => base(name, () => body(options, run)(...(Array.isArray(row) ? row : [row]))));
  it.each = each(it);
  describe.each = each(describe);
  const vitest = { it, test: it, describe, expect, beforeAll: (run) => befores.push(run), afterAll: () => undefined };
  const begin = async () => {
    for (const before of befores) await before();
  };
  return { tests, begin, vitest };
}

async function failureOf(run) {
  try {
    await run();
    return undefined;
  } catch (error) {
    return String(error?.message ?? error).slice(0, 500) || 'it failed';
  }
}

function statusOf(failureMessage) {
  return failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }];
