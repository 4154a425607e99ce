// Which folder may import which: main, headless, cli -> desktop, ipc -> control -> gateway, store, hosts -> core.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuiltin } from 'node:module';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const lowest = ['gateway', 'store', 'hosts', 'getting'];

/**
 * One row per zone; the first whose `path` matches is the file's. `uses` are the zones it may import besides its own,
 * `types` those (or single files) it may only take types from. `packages`, where given, is all it may import from
 * outside; everywhere else a package is free unless `owners` below names its zones.
 */
const zones = [
  {
    name: 'main',
    path: /^electron\/main\.ts$/,
    uses: ['program', 'desktop', 'ipc', 'control', ...lowest, 'bridge', 'endpoint', 'system', 'core'],
  },
  { name: 'preload', path: /^electron\/ipc\/preload\.ts$/, uses: ['ipc', 'control', 'core'], packages: ['electron'] },
  { name: 'desktop', path: /^electron\/desktop\//, uses: ['control', 'core'], types: lowest },
  { name: 'ipc', path: /^electron\/ipc\//, uses: ['control', 'core'], types: lowest },
  { name: 'control', path: /^electron\/control\//, uses: [...lowest, 'core'] },
  { name: 'gateway', path: /^electron\/gateway\//, uses: ['endpoint', 'system', 'core'] },
  { name: 'store', path: /^electron\/store\//, uses: ['system', 'core'] },
  { name: 'hosts', path: /^electron\/hosts\//, uses: ['core'] },
  // Servers from files, links and lists: laid out to be looked at, never started.
  { name: 'getting', path: /^electron\/getting\//, uses: ['core'] },
  // Looks at a machine and changes nothing: what it needs of the others is passed in.
  { name: 'doctor', path: /^electron\/doctor\//, uses: ['system', 'core'], types: lowest },
  // For people who publish servers: looks at one server and keeps nothing. Files are the program's.
  { name: 'publish', path: /^electron\/publish\//, uses: ['gateway', 'core'] },
  { name: 'core', path: /^electron\/core\//, packages: ['zod', 'canonicalize', 'node:crypto'] },
  // What the operating system tells of processes and programs.
  { name: 'system', path: /^electron\/system\//, packages: ['node:'] },
  // Where gateway and bridge meet: one name for the socket, on both sides.
  { name: 'endpoint', path: /^electron\/bridge\/endpoint\.ts$/, packages: ['node:'] },
  { name: 'bridge', path: /^electron\/bridge\//, uses: ['endpoint'], packages: ['node:'] },
  // A server and an app to be tried out: programs of their own, beside the gateway.
  { name: 'demo', path: /^electron\/demo\//, uses: ['core'], packages: ['@modelcontextprotocol/sdk', 'zod', 'node:'] },
  { name: 'tools', path: /^electron\/tools\// },
  { name: 'cli', path: /^electron\/cli\//, uses: ['bridge', 'endpoint', 'core'], types: ['control'] },
  {
    name: 'program',
    path: /^electron\/[^/]+$/,
    uses: ['cli', 'demo', 'doctor', 'publish', 'control', ...lowest, 'bridge', 'endpoint', 'system', 'core'],
  },
  { name: 'renderer config', path: /^renderer\/vite\.config\.ts$/ },
  {
    name: 'renderer',
    path: /^renderer\//,
    types: [
      'electron/core/model.ts',
      'electron/control/commands.ts',
      'electron/control/snapshot.ts',
      'electron/control/pasted/pasted.ts',
      'electron/getting/offer.ts',
      'electron/ipc/contract.ts',
    ],
    packages: ['svelte', 'bits-ui', '@lucide/svelte', 'intl-messageformat', '@formatjs/icu-messageformat-parser'],
  },
];

const owners = {
  '@modelcontextprotocol/sdk': ['gateway', 'demo'],
  electron: ['main', 'desktop', 'ipc', 'preload'],
  lowdb: ['store'],
};

function zoneOf(file) {
  return zones.find((zone) => zone.path.test(file));
}

function packageAllows(allowed, source) {
  const isNode = isBuiltin(source);
  const name = isNode && !source.startsWith('node:') ? `node:${source}` : source;
  return allowed.some((entry) => name === entry || name.startsWith(entry.endsWith(':') ? entry : `${entry}/`));
}

function packageProblem(zone, source) {
  if (zone.packages && !packageAllows(zone.packages, source)) {
    return `${zone.name} imports no package but ${zone.packages.join(', ')}; found '${source}'.`;
  }
  const owner = Object.keys(owners).find((name) => packageAllows([name], source));
  if (owner && !owners[owner].includes(zone.name)) {
    return `'${owner}' is imported in ${owners[owner].join(', ')} only, not in ${zone.name}.`;
  }
  return undefined;
}

function fileProblem(zone, target, isTypeOnly) {
  // The version and name of the product; pure code gets them passed in.
  if (target === 'package.json' && zone.packages === undefined) return undefined;
  // Host apps are data, which the bundle takes in.
  if (target === 'resources/hosts.json' && zone.name === 'hosts') return undefined;
  if (target === 'resources/catalogue.json' && zone.name === 'getting') return undefined;
  const to = zoneOf(target);
  if (to === undefined || to.name === 'tools') return `The product does not import '${target}'.`;
  const types = isTypeOnly ? (zone.types ?? []) : [];
  const allowed = [zone.name, ...(zone.uses ?? []), ...types];
  if (allowed.includes(to.name) || allowed.includes(target)) return undefined;
  const isTypeOk = (zone.types ?? []).some((entry) => entry === to.name || entry === target);
  return isTypeOk
    ? `${zone.name} takes only types from '${target}': write 'import type'.`
    : `${zone.name} does not import ${to.name} ('${target}'); the composition root passes it what it needs.`;
}

function problem(file, source, isTypeOnly) {
  const zone = zoneOf(file);
  if (zone === undefined || zone.name === 'tools' || zone.name === 'renderer config') return undefined;
  if (!source.startsWith('.')) return packageProblem(zone, source);
  // Vite understands a query behind a file name.
  const target = path.posix.join(path.posix.dirname(file), source).replace(/\?.*$/, '');
  return fileProblem(zone, target, isTypeOnly);
}

export const directions = {
  meta: { type: 'problem', schema: [], messages: { wrong: '{{ problem }}' } },
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const check = (node, source, isTypeOnly) => {
      if (typeof source !== 'string') return;
      const text = problem(file, source, isTypeOnly);
      if (text !== undefined) context.report({ node, messageId: 'wrong', data: { problem: text } });
    };
    const onExport = (node) => check(node, node.source?.value, node.exportKind === 'type');
    return {
      ImportDeclaration: (node) => check(node, node.source.value, node.importKind === 'type'),
      ExportNamedDeclaration: onExport,
      ExportAllDeclaration: onExport,
      ImportExpression: (node) => check(node, node.source.value, false),
      TSImportType: (node) => check(node, node.source.value, true),
      'CallExpression[callee.name="require"]': (node) => check(node, node.arguments[0]?.value, false),
    };
  },
};
