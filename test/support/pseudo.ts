import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Table } from '../../renderer/words.ts';

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  O: 'Ó',
  U: 'Ú',
  c: 'ç',
  n: 'ñ',
};

/** A made-up language with every text as long as a translation gets: twice for short ones, and 40 % more above. */
export function pseudoTable(table: Table): Table {
  const rows = Object.entries(table).map(([key, message]) => [key, pseudo(message)]);
  return Object.fromEntries(rows) as Table; // the same keys
}

function pseudo(message: string): string {
  const elements = parse(message);
  const length = elements.reduce(
    (sum, one) => sum + ('value' in one && one.type === TYPE.literal ? one.value.length : 0),
    0,
  );
  const share = length <= 20 ? 1 : 0.4;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the printer's types declare the same enum once more
  return printAST(elements.map((element) => longer(element, share)));
}

function longer(element: MessageFormatElement, share: number): MessageFormatElement {
  if (element.type === TYPE.literal) return { ...element, value: padded(element.value, share) };
  if (element.type !== TYPE.plural) return element;
  const options = Object.entries(element.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map((inner) => longer(inner, share)) },
  ]);
  return { ...element, options: Object.fromEntries(options) };
}

function padded(text: string, share: number): string {
  const accented = text.replaceAll(/[aeiouAEOUcn]/g, (letter) => ACCENTS[letter] ?? letter);
  const extra = Math.ceil(text.trim().length * share);
  const more = Array.from({ length: Math.ceil(extra / 6) }, () => 'łörem').join(' ');
  return extra === 0 ? accented : `${accented}${text.endsWith(' ') ? '' : ' '}${more.slice(0, Math.max(extra, 1))}`;
}
