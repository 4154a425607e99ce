import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { readArguments, runBridge } from '../../electron/bridge/bridge.ts';
import { parseCall, ROWS } from '../../electron/cli/arguments.ts';
import { COMMANDS } from '../../electron/control/commands.ts';
import { PUBLISH_COMMANDS } from '../../electron/publish-commands.ts';
import type { Control } from '../../electron/control/control.ts';
import { errorWords } from '../../electron/core/error-sentences.ts';
import { HoldfastError } from '../../electron/core/errors.ts';
import { capabilityId } from '../../electron/core/identity.ts';
import type { KindOutcome, Observation, Route, ServerId } from '../../electron/core/model.ts';
import { isObject } from '../../electron/gateway/rpc.ts';
import { Store } from '../../electron/store/store.ts';
import { controlOn } from '../store/control.ts';
import { MemoryDisk } from '../store/memory-disk.ts';
import { AT } from '../store/sample.ts';
import { fuzz } from './fuzzing.ts';
import { changed, oddText, oddValue } from './inputs.ts';
import { message, parsed } from './wire.ts';

const BATCH = 12;

describe('the command line', () => {
  const word = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...Object.keys(ROWS).flatMap((row) => row.split(' '))) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        '--env',
        'A=1',
        '=',
        'A=',
        '--',
        '--app',
        '--name',
        '--target',
        '-x',
        '--dry-run',
        '--restore',
      ),
    },
    { weight: 2, arbitrary: oddText },
    { weight: 1, arbitrary: oddText.map((text) => `--${text}`) },
  );
  const argv = fc.oneof(
    fc.array(word, { maxLength: 8 }),
    fc
      .tuple(fc.constantFrom(...Object.keys(ROWS)), fc.array(word, { maxLength: 6 }))
      .map(([row, more]) => [...row.split(' '), ...more]),
  );

  fuzz('takes any words for a command of the table or refuses them as such', {
    inputs: argv,
    check: (words) => {
      try {
        const { name, input } = parseCall(words);
        expect(Object.hasOwn(COMMANDS, name) || LOCAL.includes(name)).toBe(true);
        expect(isObject(input)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(HoldfastError);
        expect(error).toMatchObject({ code: 'COMMAND_BAD_INPUT' });
      }
    },
  });

  fuzz('of a bridge names an app and a folder or is refused', {
    inputs: fc
      .array(fc.oneof(word, fc.constantFrom('connect', '--home', '/data', 'app')), { maxLength: 6 })
      .chain((words) => fc.constantFrom(words, ['connect', ...words], ['connect', 'app', '--home', ...words])),
    check: (words, beside) => {
      const given = readArguments(words);
      if (given === null) return beside();
      expect([given.app, given.home].every((text) => words.includes(text))).toBe(true);
    },
  });
});

describe('a bridge without a gateway', () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'hf-fuzz-'));
  afterAll(() => rmSync(home, { recursive: true }));

  fuzz('answers every request with its own id, as a server without tools would, and nothing else', {
    batch: BATCH,
    inputs: fc.array(message, { minLength: BATCH, maxLength: BATCH, size: 'max' }),
    show: (lines) => lines.join('\n'),
    check: async (lines, beside) => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      const written: Buffer[] = [];
      stdout.on('data', (chunk: Buffer) => written.push(chunk));
      stderr.resume();
      stdin.end(lines.map((line) => `${line}\n`).join(''));
      await runBridge({ app: 'app', home, stdin, stdout, stderr, waitMs: 0 });
      const asked = lines.map((line) => parsed(Buffer.from(line))).filter(isRequest);
      const answers = Buffer.concat(written)
        .toString()
        .split('\n')
        .filter((line) => line !== '');
      expect(answers.map((line) => at(line, 'id'))).toEqual(asked.map(({ id }) => JSON.parse(JSON.stringify(id))));
      for (const line of answers) {
        const { jsonrpc, id: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
        expect([jsonrpc, ...Object.keys(rest)]).toEqual(['2.0', 'result' in rest ? 'result' : 'error']);
        if (isObject(rest['result']))
          expect(Object.keys(rest['result']).every((key) => RESULT_KEYS.has(key))).toBe(true);
      }
      if (answers.length === 0) beside();
    },
  });
});

const RESULT_KEYS = new Set(
  ['tools', 'prompts', 'resources', 'resourceTemplates', 'content', 'isError'].concat([
    ...['protocolVersion', 'capabilities', 'serverInfo', 'instructions'],
  ]),
);

function isRequest(said: unknown): said is { id: unknown; method: string } {
  return isObject(said) && typeof said['method'] === 'string' && ['string', 'number'].includes(typeof said['id']);
}

function at(line: string, key: string): unknown {
  const message: unknown = JSON.parse(line);
  return isObject(message) ? message[key] : undefined;
}

/** What the program answers by itself. */
const LOCAL = ['doctor', 'diagnostics', ...Object.keys(PUBLISH_COMMANDS)];

/** What a server lists: each time another way, now and then nothing. */
function listed(server: ServerId, route: Route, time: number): Observation {
  const definitions = ['search', 'fetch', '__proto__'].slice(0, 1 + (time % 3)).map((key) => ({
    name: key,
    description: `does ${key} in way ${time % 2}`,
    inputSchema: { type: 'object' },
  }));
  const items = definitions.map((definition) => {
    const originKey = definition.name;
    return {
      originKey,
      definition,
      id: capabilityId({ serverId: server, kind: 'tool', originKey, route, definition }),
    };
  });
  const context = { era: '2025-11-25', capabilities: 'c', launch: 'l', signedIn: false };
  const tool: KindOutcome =
    time % 5 === 4 ? { status: 'failed', reason: 'it does not answer' } : { status: 'complete', items };
  return {
    server,
    consumer: null,
    connection: `connection-${time}`,
    route,
    context,
    version: `1.0.${time}`,
    kinds: { tool },
  };
}

/** A control plane on a disk in memory. */
async function controlPlane(): Promise<{ control: Control; store: Store }> {
  const { store } = await Store.open({ dir: '/data', files: new MemoryDisk().files, now: () => AT, version: '1.0.0' });
  const kept = new Map<ServerId, Readonly<Record<string, string>>>();
  let made = 0;
  let times = 0;
  const observe = async (server: ServerId): Promise<Observation> => {
    const spec = control.upstream(server);
    if (spec === undefined) throw new HoldfastError('UPSTREAM_NOT_FOUND', { server });
    const observation = listed(server, spec.route, times++);
    await control.dispatch({ type: 'observed', at: AT, observation });
    return observation;
  };
  const control = controlOn(store, {
    dataDir: '/data',
    secrets: {
      keeping: 'file',
      get: (server) => kept.get(server) ?? {},
      set: async (server, values) => void kept.set(server, values),
      forget: () => Promise.resolve(null),
    },
    random: (length) => String(++made).padStart(length, '0'),
    observeNow: observe,
  });
  return { control, store };
}

const name = fc.constantFrom('Demo', 'demo', 'cursor', 'work');
const input = changed(
  fc.record(
    {
      name,
      app: fc.constantFrom('cursor', 'claude', 'demo'),
      server: fc.constantFrom('Demo', 'demo'),
      profile: fc.constantFrom('work', 'Demo'),
      kind: fc.constantFrom('tool', 'instructions'),
      originKey: fc.oneof(fc.constantFrom('search', 'fetch'), oddText),
      command: fc.constantFrom('npx', '/usr/bin/node', 'docker'),
      args: fc.array(fc.oneof(oddText, fc.constantFrom('-y', 'pkg', 'run', '--')), { maxLength: 4 }),
      env: fc.dictionary(fc.oneof(fc.constantFrom('A', 'KEY'), oddText), oddText, { maxKeys: 2 }),
      known: fc.constantFrom('ask', 'restore', 'fresh'),
      id: fc.constantFrom('rev-0', 'rev-0', 'rev-0', 'inc-1', 'rev-__proto__'),
      apps: fc.array(fc.constantFrom('cursor', 'example', 'CURSOR'), { maxLength: 2 }),
      to: fc.constantFrom('try', 'story', 'done', 'demo'),
      change: fc.constantFrom('none', 'small', 'careful', 'worse'),
      minutes: fc.constantFrom(1, 10_080, 0.5),
      language: fc.constantFrom('en', 'zh-CN'),
    },
    { requiredKeys: [] },
  ),
  2,
);

/** What each command takes, so that most inputs get past the check for members too many. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  'servers.add': ['name', 'command', 'args', 'env', 'known'],
  'servers.set': ['name', 'command', 'args', 'env'],
  'servers.remove': ['name'],
  'servers.check': ['name'],
  'apps.add': ['app', 'name'],
  'profiles.create': ['name'],
  'profiles.add': ['profile', 'server', 'kind', 'originKey'],
  'profiles.remove': ['profile', 'server', 'kind', 'originKey'],
  'profiles.assign': ['profile', 'app'],
  'profiles.unassign': ['profile', 'app'],
  expose: ['app', 'server', 'kind', 'originKey'],
  hide: ['app', 'server', 'kind', 'originKey'],
  surface: ['app'],
  'review.show': ['id'],
  'review.approve': ['id', 'app'],
  'review.keep-off': ['id', 'app'],
  'review.undo': ['id', 'app'],
  history: ['app', 'server'],
  trace: ['app'],
  'setup.go': ['apps'],
  'setup.next': ['to'],
  'demo.change': ['change'],
  pause: ['minutes'],
  language: ['language'],
};

type Said = readonly [name: string, input: unknown];
const said: fc.Arbitrary<Said> = fc
  .tuple(
    fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...Object.keys(COMMANDS)) }, { weight: 1, arbitrary: oddText }),
    fc.oneof({ weight: 9, arbitrary: input }, { weight: 1, arbitrary: oddValue }),
    fc.boolean(),
  )
  .map(([command, all, isFitting]): Said => [command, isFitting ? fitting(command, all) : all]);

function fitting(command: string, all: unknown): unknown {
  const takes = Object.hasOwn(TAKES, command) ? (TAKES[command] ?? []) : [];
  return isObject(all) ? Object.fromEntries(Object.entries(all).filter(([key]) => takes.includes(key))) : all;
}

/** Ids of reviews cannot be guessed: the first one stands in for a made-up one. */
function withRealId(control: Control, given: unknown): unknown {
  const [review] = control.snapshot().reviews;
  const isMadeUp = isObject(given) && given['id'] === 'rev-0';
  return isMadeUp && review !== undefined ? { ...given, id: review.id } : given;
}

describe('a command', () => {
  fuzz('with any input does what it says or is refused with words for a person, and what it did is on the disk', {
    batch: BATCH,
    inputs: fc.array(said, { minLength: BATCH, maxLength: BATCH, size: 'max' }),
    show: (batch) => batch.map(([command, given]) => `${command} ${JSON.stringify(given)}`).join('\n'),
    check: async (batch, beside) => {
      const { control, store } = await controlPlane();
      await control.run('apps.add', { app: 'cursor' });
      await control.run('servers.add', { name: 'Demo', command: 'npx', args: ['demo'] });
      let done = 0;
      for (const [command, given] of batch) {
        const result = await control.run(command, withRealId(control, given)).then(
          (told) => {
            done += 1;
            return told;
          },
          (error: unknown) => {
            expect(error).toBeInstanceOf(HoldfastError);
            expect(errorWords(error as HoldfastError).message).not.toBe('');
            expect((error as HoldfastError).code).not.toBe('INTERNAL');
            expect((error as HoldfastError).code).not.toBe('STORE_WRITE_FAILED');
            return {};
          },
        );
        expect(JSON.stringify(result)).toBeTypeOf('string');
      }
      control.snapshot();
      control.close();
      await store.close();
      if (done === 0) beside();
    },
  });
});
