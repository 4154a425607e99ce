import fs from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { hostApps } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { refusal, UserHome } from './host-folder.ts';

type Settings = Record<string, Record<string, unknown>>;

/** What a person may have in the file, and the same file with a mistake. */
const SAMPLES: Record<HostApp['dialect'], (section: string) => { good: string; broken: string; line: number }> = {
  json: (section) => ({
    good: `{\n  "theme": {"x": 1.10},\n  "${section}": {\n    "notes": { "command": "notes" }\n  }\n}\n`,
    broken: `{\n  "${section}": {\n    "notes": { "command": "notes" }\n  }\n  "theme": 1\n}\n`,
    line: 5,
  }),
  jsonc: (section) => ({
    good: `// mine\n{\n\t"theme": {"x": 1.10}, /* keep */\n\t"${section}": {\n\t\t"notes": { "command": "notes" }, // on one line\n\t\t// "off": {}\n\t},\n}\n`,
    broken: `{\n  // mine\n  "${section}": {\n    "notes": { "command": "notes"\n  }\n}\n`,
    line: 7,
  }),
  toml: (section) => ({
    good: `# mine\r\nmodel = "m" # keep\r\n\r\n[${section}.notes]\r\ncommand = "notes"   # here\r\nargs = [ "a",\r\n  "b" ]\r\n`,
    broken: `model = "m"\n[${section}.notes]\ncommand = notes\n`,
    line: 3,
  }),
  yaml: (section) => ({
    good: `# mine\nmodel: m   # keep\n${section}:\n  notes: &n\n    cmd: notes\n    args: [a,  b]\n    text: >-\n      long\n      text\n# end\nother: {a: 1.10}\n`,
    broken: `model: m\n${section}:\n  notes:\n    cmd: notes\n   args: []\n`,
    line: 5,
  }),
};

/** The text as a program of that dialect reads it. */
function read(dialect: HostApp['dialect'], text: string): Settings {
  if (dialect === 'json') return JSON.parse(text);
  if (dialect === 'toml') return parseToml(text) as Settings;
  if (dialect === 'yaml') return parseYaml(text);
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

describe.each(hostApps().map((app) => [app.title, app] as const))('the settings of %s', (_, app) => {
  const sample = SAMPLES[app.dialect](app.section);

  function connected(content: string | undefined): { user: UserHome; file: string } {
    const user = new UserHome();
    const file = user.fileOf(app);
    if (content !== undefined) user.write(file, content);
    user.connect(app.id);
    return { user, file };
  }

  it('get our entry beside the others, in the form that the app reads', () => {
    const { user, file } = connected(sample.good);
    const now = read(app.dialect, fs.readFileSync(file, 'utf8'));
    const { holdfast, ...others } = now[app.section] ?? {};
    const before = read(app.dialect, sample.good);
    expect({ ...now, [app.section]: others }).toEqual(before);
    expect(user.startOf(holdfast)).toEqual(user.start(app.id));
    const kept = sample.good.split(/\r?\n/).map((line) => line.replace(/,$/, ''));
    const text = fs.readFileSync(file, 'utf8');
    expect(kept.filter((line) => !text.includes(line))).toEqual([]);
  });

  it('are not written a second time', () => {
    const { user } = connected(sample.good);
    const before = user.everything();
    expect(user.connect(app.id)).toMatchObject({ changed: false, needsRestart: false });
    expect(user.everything()).toEqual(before);
  });

  it('get a new path of the bridge in place, and keep what a person added to our entry', () => {
    const { user, file } = connected(sample.good);
    const first = fs.readFileSync(file, 'utf8');
    user.bridge = { ...user.bridge, command: '/new/bridge' };
    expect(user.connect(app.id)).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(fs.readFileSync(file, 'utf8')).toBe(first.replace('/opt/holdfast/bridge', '/new/bridge'));
    user.disconnect(app.id);
    expect(fs.readFileSync(file, 'utf8')).toBe(sample.good);
  });

  it('are the very bytes from before once our entry is taken out', () => {
    const { user, file } = connected(sample.good);
    expect(user.disconnect(app.id)).toMatchObject({ changed: true, entry: 'holdfast' });
    expect(fs.readFileSync(file, 'utf8')).toBe(sample.good);
    expect(user.disconnect(app.id)).toMatchObject({ changed: false });
  });

  it('lose only our entry where the app has changed them since', () => {
    const { user, file } = connected(sample.good);
    user.write(file, fs.readFileSync(file, 'utf8').replace('1.10', '1.20').replace('"m"', '"n"'));
    user.disconnect(app.id);
    expect(fs.readFileSync(file, 'utf8')).toBe(sample.good.replace('1.10', '1.20').replace('"m"', '"n"'));
  });

  it('are refused with the line of a mistake, and left untouched', () => {
    const user = new UserHome();
    const file = user.fileOf(app);
    user.write(file, sample.broken);
    const before = user.everything();
    expect(refusal(() => user.connect(app.id))).toMatchObject({
      code: 'HOST_CONFIG_UNREADABLE',
      problem: 'SYNTAX',
      line: sample.line,
    });
    expect(user.everything()).toEqual(before);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('are made where the file is %s, and that is how it ends', (_state, content) => {
    const { user, file } = connected(content);
    const made = read(app.dialect, fs.readFileSync(file, 'utf8'));
    expect(Object.keys(made)).toEqual([app.section]);
    expect(user.startOf(made[app.section]?.['holdfast'])).toEqual(user.start(app.id));
    user.disconnect(app.id);
    expect(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined).toBe(content);
  });

  it('are not made for an app that is not there', () => {
    const user = new UserHome({ isInstalled: false });
    const file = user.fileOf(app);
    if (path.dirname(file) === user.home) return; // its settings are in the home folder itself
    expect(refusal(() => user.connect(app.id))).toMatchObject({ problem: 'NO_DIR' });
    expect(fs.existsSync(path.dirname(file))).toBe(false);
  });
});
