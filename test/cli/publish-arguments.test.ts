import { expect, it } from 'vitest';
import { helpFor, parseCall } from '../../electron/cli/arguments.ts';
import { asHoldfastError } from '../../electron/core/errors.ts';
import { PUBLISH_COMMANDS } from '../../electron/publish-commands.ts';

const PLACE = { cwd: '/', json: true, useMask: () => undefined };

/** The code that these words end with, before anything is started or read. */
async function refusal(...args: readonly string[]): Promise<string> {
  try {
    const { name, input } = parseCall(args);
    await PUBLISH_COMMANDS[name]?.(input, PLACE);
    return 'taken';
  } catch (thrown) {
    return asHoldfastError(thrown).code;
  }
}

it.each([
  ['no program', ['snapshot']],
  ['an empty program', ['snapshot', '--', '']],
  ['an unknown option', ['snapshot', '--fast', '--', 'node']],
  ['a word too many', ['snapshot', 'x', '--', 'node']],
  ['an environment without a name', ['snapshot', '--env', '=x', '--', 'node']],
  ['a name that no environment has', ['snapshot', '--env', 'A-B=x', '--', 'node']],
  ['one file', ['diff', 'a.json']],
  ['a program to compare', ['diff', 'a.json', 'b.json', '--', 'node']],
  ['an unknown severity', ['diff', 'a.json', 'b.json', '--fail-on', 'awful']],
  ['no samples', ['verify', '--', 'node']],
  ['no server', ['verify', 's.jsonl']],
  ['a time-out of nothing', ['verify', 's.jsonl', '--timeout', '0', '--', 'node']],
  ['a time-out in words', ['verify', 's.jsonl', '--timeout', 'soon', '--', 'node']],
])('refuses %s', async (_, args) => {
  expect(await refusal(...args)).toBe('COMMAND_BAD_INPUT');
});

it('leaves a program as it was typed, since it runs where it was typed', () => {
  const { input } = parseCall([
    'snapshot',
    '--env',
    'A=b=c',
    '-o',
    'x.json',
    '--',
    'node',
    './package.json',
    '--',
    '-o',
  ]);
  expect(input).toEqual({ command: 'node', args: ['./package.json', '--', '-o'], env: { A: 'b=c' }, output: 'x.json' });
});

it('has help for each command that is asked for, and none for what belongs to the program', () => {
  expect(helpFor(['servers', 'add', '--help'])).toMatch(/^holdfast servers add NAME/);
  expect(helpFor(['verify', '--help'])).toContain('"expect": "refused"');
  expect(helpFor(['snapshot', '--', 'node', '--help'])).toBeUndefined();
  expect(helpFor(['nothing', '--help'])).toBeUndefined();
});
