import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/holdfast.ts';

interface Config {
  appId: string;
  electronFuses: Record<string, boolean>;
  nsis: Record<string, unknown>;
  mac: Record<string, unknown>;
  [section: string]: unknown;
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const config = (): Config => parse(read('electron-builder.yml')) as Config; // checked against its schema below
const hasCompiler = spawnSync('makensis', ['-VERSION']).status === 0;

// electron-builder's own schema, which its programs check before they begin.
const schema = JSON.parse(read('node_modules/app-builder-lib/scheme.json')) as object; // a JSON schema
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

function problems(candidate: unknown): string[] {
  validate(candidate);
  return (validate.errors ?? []).map(({ instancePath, params }) => `${instancePath} ${JSON.stringify(params)}`);
}

test('the settings of all three systems are what electron-builder knows', () => {
  expect(problems(config())).toEqual([]);
});

test('a slip in a section that this machine does not build is found', () => {
  expect(problems({ ...config(), nsis: { ...config().nsis, oneClik: true } }).join('\n')).toContain('oneClik');
  expect(problems({ ...config(), mac: { ...config().mac, hardenedRuntim: true } }).join('\n')).toContain(
    'hardenedRuntim',
  );
});

test.each(['nsis.include', 'mac.icon', 'mac.entitlements', 'mac.entitlementsInherit', 'win.icon', 'linux.icon'])(
  'the file of %s is there',
  (name) => {
    const [section = '', key = ''] = name.split('.');
    const file = (config()[section] as Record<string, string>)[key] ?? ''; // validated above
    expect(existsSync(path.join(ROOT, file))).toBe(true);
  },
);

test('people need no administrator, and what they decided outlives the program', () => {
  expect(config().nsis).toMatchObject({ oneClick: true, perMachine: false, deleteAppDataOnUninstall: false });
});

test('a released program runs nothing but its own archive and takes no orders from its environment', () => {
  expect(config().electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  });
});

test('Windows knows the program, its shortcut and its notifications by one name', () => {
  expect(read('electron/desktop/single-instance.ts')).toContain(`const APP_ID = '${config().appId}';`);
});

const PROGRAM = `
Unicode true
Name Holdfast
OutFile holdfast.exe
RequestExecutionLevel user
!include LogicLib.nsh
; What electron-builder's own script defines before it includes ours; its test of the flag is a plugin's.
!define APP_EXECUTABLE_FILENAME "Holdfast.exe"
Var updated
!macro _isUpdated _a _b _t _f
  !insertmacro _= $updated 1 \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated '"" isUpdated ""'
!include "${path.join(ROOT, 'resources/installer.nsh')}"
Function un.checkAppRunning
FunctionEnd
Section
  WriteUninstaller uninstall.exe
SectionEnd
Section un.install
  StrCpy $updated 0
  !insertmacro customUnInstall
SectionEnd
`;

test.skipIf(!hasCompiler)('the uninstaller’s part compiles, and runs the program only where nothing is updated', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-nsis-'));
  try {
    writeFileSync(path.join(folder, 'program.nsi'), PROGRAM);
    const said = execFileSync('makensis', ['-V4', '-WX', 'program.nsi'], { cwd: folder, encoding: 'utf8' });
    expect(existsSync(path.join(folder, 'holdfast.exe'))).toBe(true);
    expect(said).toMatch(
      /macro: _If\n[^]*ExecWait: .*Holdfast\.exe" --restore-hosts --quiet[^]*Call "un\.checkAppRunning"[^]*macro: _EndIf\n/,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the property list of the hardened runtime lets V8 compile and loads what servers bring', () => {
  const keys = [...read('resources/entitlements.mac.plist').matchAll(/<key>([^<]*)<\/key>\s*<true\/>/g)];
  expect(keys.map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
    'com.apple.security.cs.allow-unsigned-executable-memory',
    'com.apple.security.cs.disable-library-validation',
  ]);
});
