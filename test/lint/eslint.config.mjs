import path from 'node:path';
import { fileURLToPath } from 'node:url';
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { directions } from './directions.mjs';
import { fileNames, ipcNames } from './names.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const holdfast = { rules: { directions, 'file-names': fileNames, 'ipc-names': ipcNames } };

const product = ['electron/**/*.ts', 'renderer/**/*.{ts,svelte}'];
const plainJs = ['**/*.{js,mjs,cjs}'];

const everywhere = {
  plugins: { holdfast },
  languageOptions: {
    globals: globals.node,
    parserOptions: { projectService: true, extraFileExtensions: ['.svelte'], tsconfigRootDir: root },
  },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  rules: {
    'holdfast/file-names': 'error',
    eqeqeq: 'error',
    // Blank lines are free, comments are not: a long file is long however much of it is prose.
    'max-lines': ['error', { max: 400, skipBlankLines: true }],
  },
};

const typed = {
  files: ['**/*.ts', '**/*.svelte'],
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-explicit-any': 'error',
    '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
    '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    '@typescript-eslint/no-confusing-void-expression': [
      'error',
      // An early `return close();` in a function that returns nothing is no confusion.
      { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    // The compiler checks them too, and knows that `_` in front means meant.
    '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  },
};

const inProduct = {
  files: product,
  rules: {
    'holdfast/directions': 'error',
    'holdfast/ipc-names': 'error',
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true }],
  },
};

const namedExports = {
  files: product,
  ignores: ['renderer/vite.config.ts', '**/*.svelte'],
  rules: {
    'no-restricted-exports': [
      'error',
      {
        restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true },
      },
    ],
  },
};

const inPureCode = {
  files: ['electron/core/**/*.ts'],
  rules: {
    'no-restricted-globals': [
      'error',
      ...['process', 'console', 'fetch', 'crypto', 'performance', 'globalThis', 'queueMicrotask'],
      ...['setTimeout', 'setInterval', 'setImmediate'],
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'Times are passed in.' },
      { object: 'Math', property: 'random', message: 'Random values are passed in.' },
    ],
    'no-restricted-syntax': [
      'error',
      { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Times are passed in.' },
      { selector: 'CallExpression[callee.name="Date"]', message: 'Times are passed in.' },
      { selector: 'ImportSpecifier[imported.name=/^random/]', message: 'Random values are passed in.' },
    ],
  },
};

// A test may be long, hold a fake that awaits nothing, and reach into what it has just built.
const inTests = {
  files: ['test/**/*.ts'],
  rules: {
    'max-lines-per-function': 'off',
    '@typescript-eslint/no-non-null-assertion': 'off',
    '@typescript-eslint/no-unsafe-argument': 'off',
    '@typescript-eslint/no-unsafe-assignment': 'off',
    '@typescript-eslint/no-unsafe-call': 'off',
    '@typescript-eslint/no-unsafe-member-access': 'off',
    '@typescript-eslint/no-unsafe-return': 'off',
    '@typescript-eslint/no-empty-function': 'off',
    '@typescript-eslint/no-confusing-void-expression': 'off',
    '@typescript-eslint/require-await': 'off',
    '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
    '@typescript-eslint/unbound-method': 'off',
  },
};

export default defineConfig(
  {
    ignores: [
      'dist/',
      'dist.*/',
      'release/',
      'resources/runtimes/',
      'node_modules/',
      'test/.runtime/',
      'test/.results/',
      '.mutation/',
      'test/vectors/',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  everywhere,
  typed,
  { files: ['renderer/**'], languageOptions: { globals: globals.browser } },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  inProduct,
  namedExports,
  inPureCode,
  inTests,
  { files: plainJs, extends: [ts.configs.disableTypeChecked] },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
