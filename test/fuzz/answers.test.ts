import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { parsedAnswer, quickAnswer, readAnswer, withId, type Answer } from '../../electron/gateway/answer.ts';
import { isTooDeep, memberSpan } from '../../electron/gateway/json-span.ts';
import { isObject } from '../../electron/gateway/rpc.ts';
import { fuzz, showBytes } from './fuzzing.ts';
import { broken } from './inputs.ts';
import { answerLine, lineOf, members, message, parsed, spacing, type Member } from './wire.ts';

const show = ([all, gaps]: readonly [readonly Member[], readonly string[]]): string => lineOf(all, gaps);
const named = (all: readonly Member[], name: string): Member[] =>
  all.filter(({ key }) => JSON.parse(`"${key}"`) === name);

/** What the app gets in place of the line. */
function passedOn(answer: Answer): unknown {
  return parsed(Buffer.concat(withId(answer, '"of the app"')));
}

/** The app reads the same result and error as JSON.parse does, under its own id. */
function expectSameContent(answer: Answer, message: object): void {
  const got = passedOn(answer);
  expect(got).toMatchObject({ id: 'of the app' });
  for (const name of ['result', 'error']) {
    const [ours, theirs] = [own(got, name), own(message, name)];
    if (!isDeepStrictEqual(ours, theirs))
      expect.fail(`${name}: ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`);
  }
}

function own(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

describe('an answer known by its edges', () => {
  fuzz('is what JSON.parse makes of the line: the id, whether it is an error, and what it holds', {
    inputs: fc.tuple(members, spacing),
    show,
    check: ([all, gaps], beside) => {
      const line = Buffer.from(lineOf(all, gaps));
      const quick = quickAnswer(line);
      const whole = parsed(line);
      if (!quick || !isObject(whole)) return beside();
      expectSameContent(quick.answer, whole);
      // Where a member comes twice, the id is one of those given, and the app still gets its own.
      const ids = named(all, 'id').map(({ value }) => Number(value));
      expect(ids).toContain(quick.id);
      if (ids.length === 1) expect(quick.id).toBe(whole['id']);
      if (named(all, 'result').length === 0 || named(all, 'error').length === 0)
        expect(quick.answer.isError).toBe(Object.hasOwn(whole, 'error'));
    },
  });

  fuzz('is one line with the id of the app last, whatever bytes the line is made of', {
    inputs: broken(
      answerLine.map((text) => Buffer.from(text)),
      2,
    ),
    show: showBytes,
    check: (line, beside) => {
      const quick = quickAnswer(line);
      if (!quick) return beside();
      const written = Buffer.concat(withId(quick.answer, '"of the app"'));
      expect(written.toString('latin1').endsWith(',"id":"of the app"}\n')).toBe(true);
      const whole = parsed(line);
      if (isObject(whole)) expectSameContent(quick.answer, whole);
    },
  });
});

describe('a member of a message', () => {
  fuzz('is found where JSON.parse finds it, the last one where there are two', {
    inputs: fc.tuple(members, spacing),
    show,
    check: ([all, gaps], beside) => {
      const line = Buffer.from(lineOf(all, gaps));
      const whole = parsed(line);
      if (!isObject(whole)) return beside();
      for (const { key } of all) {
        const name = String(JSON.parse(`"${key}"`));
        const span = memberSpan(line, 0, name);
        const found: unknown = span && JSON.parse(line.toString('utf8', span.start, span.end));
        if (!isDeepStrictEqual(found, own(whole, name))) expect.fail(`${name}: ${JSON.stringify(found)}`);
      }
      const answer = parsedAnswer(line, whole);
      if (whole['result'] === undefined && whole['error'] === undefined) return;
      const name = whole['error'] === undefined ? 'result' : 'error';
      expect(answer && own(readAnswer(answer), name)).toStrictEqual(whole[name]);
    },
  });

  fuzz('is looked for within the line in any bytes that are JSON, and depth is told of any bytes at all', {
    inputs: broken(
      message.map((text) => Buffer.from(text)),
      4,
    ),
    show: showBytes,
    check: (line, beside) => {
      const depth = isTooDeep(line);
      const whole = parsed(line);
      if (whole === undefined) return beside();
      expect(depth).toBe(depthOf(whole) > 200);
      if (!isObject(whole)) return;
      for (const name of Object.keys(whole)) {
        const span = memberSpan(line, 0, name);
        const found: unknown = span && JSON.parse(line.toString('utf8', span.start, span.end));
        if (name.includes('\ufffd')) continue; // the bytes of such a name are not its text
        if (!isDeepStrictEqual(found, own(whole, name))) expect.fail(`${name}: ${JSON.stringify(found)}`);
      }
    },
  });
});

/** Of nested arrays and objects; a member that is named twice counts once, as JSON.parse has it. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, child) => Math.max(most, depthOf(child)), 0);
}
