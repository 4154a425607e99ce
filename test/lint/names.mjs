// Rules about names: of files, and of the two Electron objects that only ipc/ may touch.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
const pascal = /^[A-Z][A-Za-z0-9]*\.svelte$/;

/** Keeps file names in kebab-case, and those of components in PascalCase. */
export const fileNames = {
  meta: { type: 'suggestion', schema: [], messages: { wrong: "'{{ name }}' is not {{ wanted }}." } },
  create(context) {
    const name = path.basename(context.filename);
    const isComponent = name.endsWith('.svelte');
    const isRight = (isComponent ? pascal : kebab).test(name);
    return {
      Program(node) {
        if (isRight) return;
        const wanted = isComponent ? 'PascalCase' : 'kebab-case';
        context.report({ node, loc: { line: 1, column: 0 }, messageId: 'wrong', data: { name, wanted } });
      },
    };
  },
};

const homes = {
  ipcMain: /^electron\/ipc\/(?!preload\.ts$)/,
  ipcRenderer: /^electron\/ipc\/preload\.ts$/,
  contextBridge: /^electron\/ipc\/preload\.ts$/,
};

/** Keeps ipcMain inside electron/ipc, and ipcRenderer and contextBridge inside its preload script. */
export const ipcNames = {
  meta: { type: 'problem', schema: [], messages: { wrong: "'{{ name }}' is used in electron/ipc only." } },
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    return {
      Identifier(node) {
        const home = Object.hasOwn(homes, node.name) ? homes[node.name] : undefined;
        if (home === undefined || home.test(file)) return;
        context.report({ node, messageId: 'wrong', data: { name: node.name } });
      },
    };
  },
};
