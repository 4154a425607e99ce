/** Messages as JSON text with members in any order, twice, escaped or spaced: what a parser's object does not show. */
import fc from 'fast-check';
import { oddName } from './inputs.ts';

export interface Member {
  /** The name as written, between quotes. */
  readonly key: string;
  readonly value: string;
}

const odd = oddName.map((name) => JSON.stringify(name).slice(1, -1));
const valueText = fc.oneof(
  fc.constantFrom('null', 'true', '0', '-0', '1', '7', '1e2', '12345678901234567890', '1e999', '""', '{}', '[]'),
  fc.constantFrom('"},\\"id\\":7}"', '"\\\\"', '"\\\\\\""', '{"id":7,"result":{}}', '[{"id":7}]', '"\\ud800"', '"{["'),
  fc.json({ maxDepth: 2 }),
);

const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant('"2.0"') }, { weight: 1, arbitrary: valueText }),
  id: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('1', '2', '3') },
    { weight: 1, arbitrary: fc.constantFrom('4', '"1"', '-1', '1.0', '01', '9007199254740993') },
    { weight: 1, arbitrary: valueText },
  ),
  method: fc.oneof(
    fc.constantFrom('"tools/call"', '"tools/list"', '"initialize"', '"ping"', '"logging/setLevel"', '"resources/read"'),
    fc.constantFrom('"notifications/cancelled"', '"notifications/initialized"', '"notifications/progress"', '""'),
    valueText,
  ),
  params: fc.oneof(
    fc.constantFrom(
      '{"name":"search","arguments":{"a":1}}',
      '{"uri":"file:///a"}',
      '{"requestId":1}',
      '{"cursor":"x"}',
    ),
    fc.constantFrom(
      '{"name":"search","arguments":{"a":1},"\\u0061rguments":{"b":9007199254740993}}',
      '{"level":"info"}',
    ),
    valueText,
  ),
  result: fc.oneof(fc.constantFrom('{"tools":[]}', '{"content":[]}'), valueText),
  error: fc.oneof(fc.constant('{"code":-32000,"message":"no"}'), valueText),
};

const member = (key: string): fc.Arbitrary<Member> => (VALUES[key] ?? valueText).map((value) => ({ key, value }));
const anyMember: fc.Arbitrary<Member> = fc.oneof(
  fc.constantFrom(...Object.keys(VALUES)).chain(member),
  fc.tuple(fc.constantFrom('\\u0069d', 'res\\u0075lt', '\\u0065rror', 'm\\u0065thod'), valueText).map(toMember),
  fc.tuple(odd, valueText).map(toMember),
);

function toMember([key, value]: [string, string]): Member {
  return { key, value };
}

export const spacing = fc.constantFrom(['', ''], [' ', ' '], ['', ' '], [' ', ''], ['\t', '\r']);

const answer = fc.oneof(member('result'), member('error'));
const answers: fc.Arbitrary<Member[]> = fc.oneof(
  fc.tuple(member('jsonrpc'), member('id'), answer),
  fc.tuple(answer, member('jsonrpc'), member('id')),
  fc.tuple(member('jsonrpc'), answer, member('id')),
);
const whole: fc.Arbitrary<Member[]> = fc.oneof(
  { weight: 10, arbitrary: answers },
  { weight: 6, arbitrary: fc.tuple(member('jsonrpc'), member('id'), member('method'), member('params')) },
  { weight: 2, arbitrary: fc.tuple(member('jsonrpc'), member('method'), member('params')) },
);

/** A message of some kind, most often with a member too many somewhere. */
export const members: fc.Arbitrary<readonly Member[]> = fc
  .tuple(whole, fc.array(fc.tuple(fc.nat({ max: 5 }), anyMember), { maxLength: 2, size: 'small' }))
  .map(([given, more]) => {
    const all = [...given];
    for (const [at, one] of more) all.splice(at, 0, one);
    return all;
  });

/** The line with these gaps after colons and commas. */
export function lineOf(all: readonly Member[], [colon = '', comma = '']: readonly string[]): string {
  return `{${all.map(({ key, value }) => `"${key}":${colon}${value}`).join(`,${comma}`)}}`;
}

/** An answer in one of its common forms. */
export const answerLine: fc.Arbitrary<string> = fc.tuple(answers, spacing).map(([all, gaps]) => lineOf(all, gaps));

/** A line of a stranger as text: a message, or a batch of them. */
export const message: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(members, spacing).map(([all, gaps]) => lineOf(all, gaps)) },
  {
    weight: 1,
    arbitrary: fc
      .array(members, { maxLength: 3 })
      .map((batch) => `[${batch.map((all) => lineOf(all, ['', ''])).join(',')}]`),
  },
);

export function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
