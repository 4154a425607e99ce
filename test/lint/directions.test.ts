import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript-eslint';
import { describe, expect, it } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: path.join(root, 'test/lint/eslint.config.mjs'),
  // The snippets are not on disk, so the compiler knows no types for them.
  overrideConfig: [ts.configs.disableTypeChecked],
});

/** The rules that a snippet breaks at this place, without those about unused names. */
async function broken(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  const rules = result?.messages.map((message) => message.ruleId ?? message.message) ?? [];
  return [...new Set(rules)].filter((rule) => rule !== '@typescript-eslint/no-unused-vars');
}

const directions = ['holdfast/directions'];
const takes = (source: string) => `import { thing } from '${source}';\nexport const used = thing;\n`;
const takesType = (source: string) => `import type { Thing } from '${source}';\nexport type Used = Thing;\n`;

async function allows(file: string, ...sources: string[]): Promise<void> {
  for (const source of sources) expect(await broken(file, takes(source)), `${file} <- ${source}`).toEqual([]);
}
async function refuses(file: string, ...sources: string[]): Promise<void> {
  for (const source of sources) expect(await broken(file, takes(source)), `${file} <- ${source}`).toEqual(directions);
}
async function allowsType(file: string, ...sources: string[]): Promise<void> {
  for (const source of sources) expect(await broken(file, takesType(source)), `${file} <- ${source}`).toEqual([]);
}
async function refusesType(file: string, ...sources: string[]): Promise<void> {
  for (const source of sources) {
    expect(await broken(file, takesType(source)), `${file} <- ${source}`).toEqual(directions);
  }
}

describe('import directions', () => {
  it('lets the tray app wire everything together', async () => {
    await allows('electron/main.ts', 'electron', 'node:path', './headless.ts', './desktop/tray.ts', './ipc/main.ts');
    await allows('electron/main.ts', './control/control.ts', './gateway/listener.ts', './store/store.ts');
    await allows('electron/main.ts', './hosts/host-apps.ts', './bridge/endpoint.ts', './core/model.ts');
  });

  it('keeps the window and Electron out of the headless gateway and the command line', async () => {
    for (const file of ['electron/headless.ts', 'electron/cli.ts']) {
      await allows(file, './control/control.ts', './gateway/listener.ts', './store/store.ts', './hosts/host-apps.ts');
      await allows(file, './bridge/endpoint.ts', './core/model.ts', 'zod');
      await refuses(file, './desktop/tray.ts', './ipc/main.ts', './main.ts', 'electron');
    }
  });

  it('lets the desktop and ipc reach the control plane and the core, never each other', async () => {
    await allows('electron/desktop/tray.ts', 'electron', './window.ts', '../control/commands.ts', '../core/model.ts');
    await refuses('electron/desktop/tray.ts', '../ipc/main.ts', '../main.ts', '../headless.ts', '../bridge/bridge.ts');
    await allows('electron/ipc/main.ts', 'electron', './contract.ts', '../control/commands.ts', '../core/model.ts');
    await refuses('electron/ipc/main.ts', '../desktop/tray.ts', '../main.ts');
  });

  it('lets the desktop and ipc take only types from what lies below the control plane', async () => {
    for (const file of ['electron/desktop/tray.ts', 'electron/ipc/main.ts']) {
      await allowsType(file, '../store/store.ts', '../gateway/upstream.ts', '../hosts/host-apps.ts');
      await refuses(file, '../store/store.ts', '../gateway/upstream.ts', '../hosts/host-apps.ts');
    }
  });

  it('gives the preload script nothing but Electron and the contract', async () => {
    await allows('electron/ipc/preload.ts', 'electron', './contract.ts');
    await refuses('electron/ipc/preload.ts', 'node:fs', 'zod', '../store/store.ts');
  });

  it('lets the control plane use the gateway, the store, the hosts and the core', async () => {
    const file = 'electron/control/control.ts';
    await allows(file, './commands.ts', '../gateway/upstreams.ts', '../store/store.ts', '../hosts/host-apps.ts');
    await allows(file, '../core/reduce.ts', 'zod');
    await refuses(file, '../desktop/tray.ts', '../ipc/contract.ts', '../main.ts', '../cli.ts', '../bridge/bridge.ts');
    await refusesType(file, '../ipc/contract.ts', '../desktop/tray.ts');
  });

  it('keeps gateway, store and hosts apart, also for types', async () => {
    const siblings = ['gateway', 'store', 'hosts'];
    for (const zone of siblings) {
      const file = `electron/${zone}/some.ts`;
      await allows(file, './other.ts', '../core/model.ts', 'node:fs');
      await refuses(file, '../control/control.ts', '../bridge/bridge.ts', '../headless.ts', '../ipc/contract.ts');
      const others = siblings.filter((other) => other !== zone).map((other) => `../${other}/some.ts`);
      await refuses(file, ...others);
      await refusesType(file, ...others);
    }
  });

  it('sees wrong directions in every form an import can take', async () => {
    const file = 'electron/gateway/some.ts';
    expect(await broken(file, "export { thing } from '../store/store.ts';\n")).toEqual(directions);
    expect(await broken(file, "export * from '../store/store.ts';\n")).toEqual(directions);
    expect(await broken(file, "export const thing = import('../store/store.ts');\n")).toEqual(directions);
    expect(await broken(file, "export type Thing = import('../store/store.ts').Thing;\n")).toContain(directions[0]);
    expect(await broken(file, "import '../store/store.ts';\n")).toEqual(directions);
  });

  it('keeps test code and tools out of the product', async () => {
    await refuses('electron/headless.ts', '../test/support/fake.ts', './tools/build.mjs');
    await allows('test/gateway/some.test.ts', '../../electron/gateway/upstream.ts', '../../electron/store/store.ts');
  });
});

describe('packages', () => {
  it('lets only the gateway import the MCP SDK', async () => {
    const sdk = '@modelcontextprotocol/sdk/shared/transport.js';
    await allows('electron/gateway/wire.ts', sdk);
    for (const file of ['electron/control/control.ts', 'electron/store/store.ts', 'electron/cli.ts']) {
      await refuses(file, sdk);
      await refusesType(file, sdk);
    }
  });

  it('lets only main, desktop and ipc import Electron', async () => {
    for (const zone of ['control', 'gateway', 'store', 'hosts', 'core', 'bridge']) {
      await refuses(`electron/${zone}/some.ts`, 'electron');
      await refusesType(`electron/${zone}/some.ts`, 'electron');
    }
  });

  it('lets only the store import lowdb', async () => {
    await allows('electron/store/store.ts', 'lowdb');
    await refuses('electron/control/control.ts', 'lowdb', 'lowdb/node');
  });

  it('gives the bridge nothing but Node and its own files', async () => {
    await allows('electron/bridge/bridge.ts', 'node:net', './endpoint.ts');
    await refuses('electron/bridge/bridge.ts', 'zod', '../core/model.ts', '../gateway/listener.ts', '../headless.ts');
  });
});

describe('the core', () => {
  it('imports only itself, zod, canonicalize and node:crypto', async () => {
    await allows(
      'electron/core/identity.ts',
      './model.ts',
      './classify/schema.ts',
      'zod',
      'canonicalize',
      'node:crypto',
    );
    await refuses('electron/core/identity.ts', 'node:fs', 'fs', 'path', 'lowdb', '../store/store.ts');
    await allows('electron/core/classify/schema.ts', '../model.ts');
    await refuses('electron/core/classify/schema.ts', '../../store/store.ts', '../../../package.json');
  });

  it('has no clock and no chance', async () => {
    const file = 'electron/core/some.ts';
    expect(await broken(file, 'export const at = Date.now();\n')).toEqual(['no-restricted-properties']);
    expect(await broken(file, 'export const dice = Math.random();\n')).toEqual(['no-restricted-properties']);
    expect(await broken(file, 'export const at = new Date();\n')).toEqual(['no-restricted-syntax']);
    expect(await broken(file, takes('node:crypto').replace('{ thing }', '{ randomUUID as thing }'))).toEqual([
      'no-restricted-syntax',
    ]);
    expect(await broken(file, "export const at = new Date('2026-01-01T00:00:00Z');\n")).toEqual([]);
  });

  it('touches no process, timer, network or console', async () => {
    for (const name of ['process', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'console']) {
      const code = `export const thing = ${name};\n`;
      expect(await broken('electron/core/some.ts', code), name).toEqual(['no-restricted-globals']);
      expect(await broken('electron/control/some.ts', code), name).toEqual([]);
    }
  });
});

describe('the renderer', () => {
  it('takes only types, and only from the model, the command table, the snapshot and the ipc contract', async () => {
    const files = ['core/model.ts', 'control/commands.ts', 'control/snapshot.ts', 'ipc/contract.ts'];
    for (const file of files) {
      await allowsType('renderer/views/some.ts', `../../electron/${file}`);
      await refuses('renderer/views/some.ts', `../../electron/${file}`);
    }
    await refusesType('renderer/client.svelte.ts', '../electron/core/reduce.ts', '../electron/store/store.ts');
  });

  it('imports its own files and Svelte, and neither Node nor Electron', async () => {
    await allows('renderer/client.svelte.ts', './words/en.ts', 'svelte', 'svelte/reactivity');
    await refuses('renderer/client.svelte.ts', 'electron', 'node:fs', 'zod');
  });

  it('is held to the same in components', async () => {
    const script = (source: string) =>
      `<script lang="ts">\n  ${takes(source).split('\n')[0] ?? ''}\n  thing();\n</script>\n`;
    expect(await broken('renderer/views/Some.svelte', script('../words/en.ts'))).toEqual([]);
    expect(await broken('renderer/views/Some.svelte', script('../../electron/core/reduce.ts'))).toEqual(directions);
  });
});

describe('names', () => {
  it('keeps ipcMain in electron/ipc and ipcRenderer in its preload script', async () => {
    const uses = (name: string) => `import { ${name} } from 'electron';\nexport const thing = ${name};\n`;
    expect(await broken('electron/ipc/main.ts', uses('ipcMain'))).toEqual([]);
    expect(await broken('electron/ipc/preload.ts', uses('ipcRenderer'))).toEqual([]);
    expect(await broken('electron/main.ts', uses('ipcMain'))).toEqual(['holdfast/ipc-names']);
    expect(await broken('electron/desktop/window.ts', uses('ipcMain'))).toEqual(['holdfast/ipc-names']);
    expect(await broken('electron/ipc/preload.ts', uses('ipcMain'))).toEqual(['holdfast/ipc-names']);
    expect(await broken('electron/ipc/main.ts', uses('ipcRenderer'))).toEqual(['holdfast/ipc-names']);
    expect(await broken('renderer/main.ts', 'export const thing = window.ipcRenderer;\n')).toEqual([
      'holdfast/ipc-names',
    ]);
  });

  it('wants file names in kebab-case and component names in PascalCase', async () => {
    const code = 'export const thing = 1;\n';
    expect(await broken('electron/store/state-file.ts', code)).toEqual([]);
    expect(await broken('electron/store/stateFile.ts', code)).toEqual(['holdfast/file-names']);
    expect(await broken('renderer/client.svelte.ts', code)).toEqual([]);
    expect(await broken('renderer/views/Reviews.svelte', '<p>hello</p>\n')).toEqual([]);
    expect(await broken('renderer/views/review-list.svelte', '<p>hello</p>\n')).toEqual(['holdfast/file-names']);
  });

  it('refuses default exports in the product, not in configuration', async () => {
    const code = 'const thing = 1;\nexport default thing;\n';
    expect(await broken('electron/store/store.ts', code)).toEqual(['no-restricted-exports']);
    expect(await broken('renderer/main.ts', code)).toEqual(['no-restricted-exports']);
    expect(await broken('renderer/vite.config.ts', code)).toEqual([]);
  });
});

describe('size', () => {
  it('refuses files of more than 400 lines, comments included', async () => {
    const file = 'electron/store/store.ts';
    expect(await broken(file, '// line\n'.repeat(399) + 'export const thing = 1;')).toEqual([]);
    expect(await broken(file, '// line\n'.repeat(400) + 'export const thing = 1;')).toEqual(['max-lines']);
  });

  it('refuses functions of more than 60 lines in the product, not in tests', async () => {
    const code = `export function long(): number {\n  let n = 0;\n${'  n += 1;\n'.repeat(60)}  return n;\n}\n`;
    expect(await broken('electron/store/store.ts', code)).toEqual(['max-lines-per-function']);
    expect(await broken('test/store/store.test.ts', code)).toEqual([]);
  });
});
