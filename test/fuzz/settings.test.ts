import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { planConnect, planDisconnect } from '../../electron/hosts/config-plan.ts';
import { DIALECTS } from '../../electron/hosts/dialects.ts';
import { entryFor } from '../../electron/hosts/entry-template.ts';
import { hostApp } from '../../electron/hosts/host-apps.ts';
import type { HostApp } from '../../electron/hosts/host-apps.ts';
import { HostConfigProblem } from '../../electron/hosts/problem.ts';
import { sha256 } from '../../electron/hosts/sha256.ts';
import type { TargetFile } from '../../electron/hosts/target-file.ts';
import { fuzz } from './fuzzing.ts';
import { jsonText, tomlText, yamlText } from './settings-texts.ts';

/** Four languages with 750 files each, and fifteen times as many by night; few of them may be refused. */
const SHARE = { share: 0.15, leastTried: 0.97 };

const OWNER = 'hf-0123456789ab';
const START = { command: '/opt/hold fast/br"idge', args: ['--owner', OWNER, "it's ü"], env: { A: '1', 'b.c': 'x\ty' } };

function app(id: string): HostApp {
  const found = hostApp(id);
  if (!found) throw new Error(`${id} has no writer`);
  return found;
}

const LANGUAGES = [
  ['JSON', app('claude-desktop'), jsonText('mcpServers', false), (text: string) => JSON.parse(text.trim() || '{}')],
  ['JSON with comments', app('vscode'), jsonText('servers', true), readJsonc],
  ['TOML', app('codex'), tomlText('mcp_servers'), (text: string) => parseToml(text, { integersAsBigInt: 'asNeeded' })],
  ['YAML', app('goose'), yamlText('extensions'), (text: string) => parseYaml(text) ?? {}],
] as const;

function readJsonc(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  expect(errors).toEqual([]);
  return tree ? (plain(tree) as Record<string, unknown>) : {};
}

// The parser's own values lose a member of the name `__proto__`.
function plain({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(plain);
  if (type !== 'object') return value;
  return Object.fromEntries(children.map(({ children: [key, item] = [] }) => [key!.value, plain(item!)]));
}

function target(bytes: Buffer): TargetFile {
  const content = { bytes, sha: sha256(bytes), identity: { mode: 0o600, uid: 0, gid: 0 }, hasOtherNames: false };
  return { file: '/settings', realPath: '/settings', content, missingFolders: [], lock: null };
}

/** Other entries and settings, as they read; an empty section and none are the same to this claim. */
function others(settings: Record<string, unknown>, section: string, own: string): unknown {
  const { [section]: servers, ...rest } = settings;
  const { [own]: _, ...entries } = (servers ?? {}) as Record<string, unknown>;
  return [rest, entries];
}

describe.each(LANGUAGES)('settings in %s', (_, host, texts, read) => {
  const { always: entry, atFirst: entryAtFirst } = entryFor(host, START);
  const request = {
    ...{
      hostId: host.id,
      file: '/settings',
      owner: OWNER,
      backupsDir: '',
      recordsDir: '',
      now: '2026-11-30T00:00:00Z',
    },
    ...{ entryName: 'holdfast', entry, entryAtFirst },
  };
  const place = { section: host.section, owner: OWNER };

  const orBeside = (beside: () => void, check: () => void): void => {
    try {
      check();
    } catch (error) {
      // Refused, with nothing done: that is never wrong, and the least share of tried inputs is checked.
      if (!(error instanceof HostConfigProblem)) throw error;
      beside();
    }
  };

  fuzz('get our entry and give it back to the byte, with and without a mark at the start, and after an update', {
    inputs: fc.tuple(texts, fc.boolean(), fc.boolean()),
    ...SHARE,
    check: ([text, hasBom, isUpdated], beside) => {
      orBeside(beside, () => {
        const before = Buffer.from((hasBom ? '\uFEFF' : '') + text);
        const added = planConnect(host, request, target(before), undefined);
        const updated = { ...request, entry: entryFor(host, { ...START, command: '/new' }).always };
        const last = isUpdated
          ? planConnect(host, updated, target(added.bytes!), added.record)
          : planConnect(host, request, target(added.bytes!), added.record);
        expect(last.changed).toBe(isUpdated);
        const removed = planDisconnect(host, request, target(last.bytes!), last.record);
        expect(removed.bytes?.toString('latin1')).toBe(before.toString('latin1'));
      });
    },
  });

  fuzz('read the same but for our entry, after adding it and after cutting it without a record', {
    inputs: texts,
    ...SHARE,
    check: (text, beside) => {
      orBeside(beside, () => {
        const before = read(text);
        const added = DIALECTS[host.dialect].add(text, place, 'holdfast', { always: entry, atFirst: entryAtFirst });
        const now = read(added.text);
        const own = (now[host.section] as Record<string, unknown>)[added.name];
        expect(own).toEqual({ ...entry, ...entryAtFirst });
        expect(isDeepStrictEqual(others(now, host.section, added.name), others(before, host.section, added.name))).toBe(
          true,
        );
        const cut = DIALECTS[host.dialect].remove(added.text, place, { dropEmptySection: added.createdSection });
        expect(cut.name).toBe(added.name);
        expect(isDeepStrictEqual(others(read(cut.text), host.section, ''), others(before, host.section, ''))).toBe(
          true,
        );
        expect(cut.text).not.toContain(OWNER);
      });
    },
  });
});
