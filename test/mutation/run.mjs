// `npm run mutation`: are the tests of the core strict enough to notice a change in it? Stryker changes one thing at a
// time and runs the tests that reach it; those that fail have killed that mutant. Ends with 1 where less than 80 % are.
//
//   npm run mutation                                  all areas
//   npm run mutation -- classify state                these
//   npm run mutation -- electron/core/diff.ts         this file
//   npm run mutation -- --force                       everything anew: results of a run before are used again
//   npm run mutation -- --list                        prints survivors that are not in survivors.json as JSON
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.mjs';
import { judge, totals } from './survivors.mjs';

/** Percent of the mutants that have to be killed, in everything that this run looked at. */
const LEAST = 80;

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');

function stryker(area, files, force) {
  const args = [path.join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run'];
  args.push('test/mutation/stryker.config.mjs', '--logLevel', 'warn');
  if (files.length > 0) args.push('--mutate', files.join(','));
  if (force) args.push('--force');
  const env = {
    // The same inputs each time, and few of them.
    HOLDFAST_SEED: '71113',
    HOLDFAST_RUNS: '15',
    HOLDFAST_SCHEMA_RUNS: '60',
    ...process.env,
    HOLDFAST_MUTATION_AREA: area,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`Stryker ended with ${status} in the area ${area}.`)),
    );
  });
}

const json = async (file) => JSON.parse(await readFile(file, 'utf8'));

/** Which areas are looked at, and which files of them; none means all. */
function chosen(names) {
  const known = names.filter((name) => Object.hasOwn(AREAS, name));
  const files = names.filter((name) => !known.includes(name)).map((name) => path.relative(root, path.resolve(name)));
  const areas = known.map((area) => ({ area, files: [] }));
  for (const file of files) {
    const area = Object.keys(AREAS).find((name) =>
      AREAS[name].mutate.some((entry) => file === entry || file.startsWith(`${entry}/`)),
    );
    if (area === undefined) throw new Error(`${file} is in no area; there are ${Object.keys(AREAS).join(', ')}.`);
    const same = areas.find((each) => each.area === area && each.files.length > 0);
    if (same) same.files.push(file);
    else areas.push({ area, files: [file] });
  }
  return areas.length > 0 ? areas : Object.keys(AREAS).map((area) => ({ area, files: [] }));
}

const percent = ({ killed, all }) => (all === 0 ? 100 : (100 * killed) / all);
const row = (name, counts) =>
  `${name.padEnd(46)} ${percent(counts).toFixed(1).padStart(6)} %  ${counts.killed} of ${counts.all}` +
  (counts.late > 0 ? `, ${counts.late} of them by running too long` : '') +
  (counts.accepted > 0 ? `; ${counts.accepted} survive with a reason` : '') +
  (counts.fresh > 0 ? `; ${counts.fresh} survive without one` : '');
const seconds = (from) => `${((Date.now() - from) / 1000).toFixed(0)} s`;

async function main() {
  const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
  const unknown = options.filter((option) => option !== '--force' && option !== '--list');
  if (unknown.length > 0) throw new Error(`There is no option ${unknown.join(', ')}.`);
  const accepted = await json(path.join(here, 'survivors.json'));
  const start = Date.now();
  const files = [];
  for (const { area, files: only } of chosen(process.argv.slice(2).filter((word) => !word.startsWith('--')))) {
    const at = Date.now();
    console.log(`\n== ${area}: ${only.length > 0 ? only.join(', ') : AREAS[area].mutate.join(', ')}`);
    await stryker(area, only, options.includes('--force'));
    const report = await json(path.join(root, `.mutation/${area}.json`));
    const isWanted = (file) => only.length === 0 || only.includes(file);
    const judged = judge(report, accepted, isWanted);
    for (const file of judged) console.log(row(file.name, file.counts));
    console.log(`${area}: ${seconds(at)}; the report with the code is .mutation/${area}.html`);
    files.push(...judged);
  }
  const fresh = files.flatMap((file) => file.fresh);
  const stale = files.flatMap((file) => file.stale);
  if (options.includes('--list')) console.log(JSON.stringify(fresh, null, 2));
  else
    for (const { file, at, mutator, from, to } of fresh)
      console.log(`survives: ${file}:${at} ${mutator}: ${from} -> ${to}`);
  for (const { file, mutator, from, to } of stale)
    console.log(`no longer survives, take it out of survivors.json: ${file} ${mutator}: ${from} -> ${to}`);
  const total = totals(files);
  console.log(`\n${row('holdfast', total)}\nholdfast: ${seconds(start)}`);
  if (percent(total) < LEAST) throw new Error(`At least ${LEAST} % of the mutants have to be killed.`);
}

main().catch((error) => {
  console.error(`holdfast: ${error.message}`);
  process.exitCode = 1;
});
