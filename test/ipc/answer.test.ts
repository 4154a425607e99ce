import { beforeEach, expect, test } from 'vitest';
import { HoldfastError } from '../../electron/core/errors.ts';
import { answer, MAX_INPUT_BYTES, refusal, type AnswerDeps } from '../../electron/ipc/answer.ts';

let ran: unknown[];
let logged: string[];
let deps: AnswerDeps;

beforeEach(() => {
  [ran, logged] = [[], []];
  deps = {
    run: (command, input) => {
      ran.push([command, input]);
      return Promise.resolve('done');
    },
    language: () => 'en',
    log: (error) => logged.push(error.code),
  };
});

test('a window command runs, and its value comes in an envelope', async () => {
  expect(await answer(deps, 'review.approve', { id: 'rev-1' })).toEqual({ ok: true, value: 'done' });
  expect(ran).toEqual([['review.approve', { id: 'rev-1' }]]);
});

test.each([['servers.forget-keys'], ['trace'], ['constructor'], [7], [undefined]])(
  'no other command runs: %s',
  async (command) => {
    expect(await answer(deps, command, {})).toMatchObject({ ok: false, error: { code: 'COMMAND_BAD_INPUT' } });
    expect(ran).toEqual([]);
  },
);

test('input that is too large, missing or no plain data is refused before anything runs', async () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const tooLarge = { id: '界'.repeat(MAX_INPUT_BYTES / 3) };
  for (const input of [tooLarge, undefined, cycle, 1n])
    expect(await answer(deps, 'snapshot', input)).toMatchObject({ ok: false, error: { code: 'COMMAND_BAD_INPUT' } });
  expect(ran).toEqual([]);
});

test('what JSON does not have does not get through', async () => {
  await answer(deps, 'snapshot', { at: new Date(0), list: new Map([[1, 2]]), none: undefined });
  expect(ran).toEqual([['snapshot', { at: '1970-01-01T00:00:00.000Z', list: {} }]]);
});

test('an error comes with its code, one sentence and the next step, in the person’s language', async () => {
  const stale = {
    ...deps,
    run: () => Promise.reject(new HoldfastError('REVIEW_STALE')),
    language: () => 'zh-CN' as const,
  };
  expect(await answer(stale, 'review.approve', {})).toEqual({
    ok: false,
    error: {
      code: 'REVIEW_STALE',
      message: '在你查看之后它又有了变化，没有做任何更改。',
      next: '请再看一次，然后对现在的内容做决定。',
    },
  });
  expect(logged).toEqual([]);
});

test('what nobody expected is logged and still answered', async () => {
  const broken = { ...deps, run: () => Promise.reject(new TypeError('x is undefined')) };
  expect(await answer(broken, 'snapshot', {})).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  expect(logged).toEqual(['INTERNAL']);
  expect(refusal(deps, new HoldfastError('FORBIDDEN'))).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
});
