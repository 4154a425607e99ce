import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

type Table = Readonly<Record<string, string>>;

/** What is wrong with a language compared with the first one, a line each; the build fails on any. */
export function wordProblems(first: Table, other: Table): string[] {
  const missing = Object.keys(first).filter((key) => !Object.hasOwn(other, key));
  const unknown = Object.keys(other).filter((key) => !Object.hasOwn(first, key));
  const both = Object.keys(first).filter((key) => Object.hasOwn(other, key));
  return [
    ...missing.map((key) => `${key} is missing`),
    ...unknown.map((key) => `${key} is not a key`),
    ...both.flatMap((key) => messageProblems(key, first[key] ?? '', other[key] ?? '')),
  ];
}

function messageProblems(key: string, first: string, other: string): string[] {
  if (other.trim() === '') return [`${key} says nothing`];
  try {
    const [wanted, found] = [slotsOf(first).join(', '), slotsOf(other).join(', ')];
    return wanted === found ? [] : [`${key} has the placeholders {${found}}, not {${wanted}}`];
  } catch (error) {
    return [`${key} is no message: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Names of a message's placeholders, each once, sorted. @throws SyntaxError for what is no ICU message. */
export function slotsOf(message: string): string[] {
  return [...new Set(namesIn(parse(message)))].sort();
}

function namesIn(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return namesIn(element.children);
    const inside =
      element.type === TYPE.plural || element.type === TYPE.select
        ? Object.values(element.options).flatMap(({ value }) => namesIn(value))
        : [];
    return [element.value, ...inside];
  });
}
