import { expect, test } from 'vitest';
import { ROWS } from '../../electron/cli/arguments.ts';
import { examine } from '../../electron/doctor/checks.ts';
import { allCases, report } from '../../electron/doctor/report.ts';
import { healthy, seenServer } from './facts.ts';

const COMMANDS = ['serve', 'connect', ...Object.keys(ROWS)];
const CASES = allCases();

function isCommand(text: string): boolean {
  const [first = '', second = ''] = text.split(' ');
  return COMMANDS.includes(`${first} ${second}`) || COMMANDS.includes(first);
}

test.each(CASES.filter(([, row]) => row.command !== undefined))(
  'the command for %s is in the command table',
  (_, row) => {
    expect(row.command).toSatisfy(isCommand);
  },
);

test('a command that is named within a text exists, too', () => {
  const texts = CASES.flatMap(([, { en, zh }]) => [...en, ...zh]);
  const named = texts.flatMap((text) =>
    [...(text ?? '').matchAll(/holdfast ([a-z-]+(?: [a-z-]+)?)/g)].map((m) => m[1]),
  );
  expect(named.filter((text) => !isCommand(text ?? ''))).toEqual([]);
});

test.each(CASES)('%s says the same in both languages, and what to do wherever something is to be done', (_, row) => {
  const { status, en, zh } = row;
  const holes = (text: string | undefined): string[] => [...(text ?? '').matchAll(/\{\w+\}/g)].map(String).sort();
  expect(holes(zh[0])).toEqual(holes(en[0]));
  expect(new Set(holes(zh[1]))).toEqual(new Set(holes(en[1])));
  expect([en[1] !== undefined, zh[1] !== undefined]).toEqual([status !== 'ok', status !== 'ok']);
  expect(zh.join('')).toMatch(/[\u4e00-\u9fff]|^\{notice\}/);
});

test('a report in Chinese has Chinese titles, messages and summary', () => {
  const facts = healthy({ servers: [seenServer('srv-1', 'Files', { program: 'missing' })] });
  const { summary, checks } = report(examine(facts), 'zh-CN');
  expect(summary).toMatch(/个问题/);
  expect(checks.find(({ id }) => id === 'server-program')).toMatchObject({
    title: 'Files：程序',
    message: '找不到“node”，你使用的内容没有变化。',
    fix: '请安装它，或写出程序的完整路径。',
  });
});
