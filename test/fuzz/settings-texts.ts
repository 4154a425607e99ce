/** Settings files as people and programs write them, in each language, from a seed. */
import fc from 'fast-check';

/** Numbers that decide about spacing, comments and line ends while a text is written. */
class Noise {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(limit: number): number {
    this.#at += 1;
    return (this.#numbers[this.#at % this.#numbers.length] ?? 0) % limit;
  }

  of<T>(...choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}

type Value = string | number | boolean | null | Value[] | { members: [string, Value][] };

const NAMES = [
  'a',
  'b',
  'mcp',
  '服务',
  'with space',
  'x"y',
  'p\\q',
  'café',
  'cafe\u0301',
  '__proto__',
  'a.b',
  'a/b',
  '#',
  '// c',
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }));
const objectOf = (value: fc.Arbitrary<Value>, maxLength = 4): fc.Arbitrary<{ members: [string, Value][] }> =>
  fc.uniqueArray(fc.tuple(name, value), { maxLength, selector: ([key]) => key }).map((members) => ({ members }));
const scalar = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value'), { maxLength: 3 }), objectOf(tie('value'), 3)),
}));
/** Deeper than people write, so that nothing depends on the depth. */
const deep = fc.nat(60).map((depth) => Array.from({ length: depth }).reduce<Value>((inner) => [inner], 1));
const noise = fc.array(fc.nat(255), { minLength: 40, maxLength: 40 }).map((numbers) => [...numbers]);

const settings = fc.record({
  others: objectOf(fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: deep }), 4),
  servers: fc.option(fc.oneof(objectOf(value, 4), fc.constant(null)), { nil: undefined }),
  at: fc.nat(4),
  noise,
});

/** JSON with the section among other settings; with `isRelaxed` also comments and commas at ends. */
export function jsonText(section: string, isRelaxed: boolean): fc.Arbitrary<string> {
  return settings.map(({ others, servers, at, noise: numbers }) => {
    const members = others.members.filter(([key]) => key !== section);
    if (servers !== undefined) members.splice(at, 0, [section, servers]);
    const drawn = new Noise(numbers);
    const writer = new JsonWriter(drawn, isRelaxed);
    if (drawn.below(20) === 0) return writer.gap();
    return writer.gap() + writer.write({ members }, '') + writer.gap();
  });
}

class JsonWriter {
  readonly #noise: Noise;
  readonly #isRelaxed: boolean;
  readonly #eol: string;
  readonly #unit: string;

  constructor(drawn: Noise, isRelaxed: boolean) {
    this.#noise = drawn;
    this.#isRelaxed = isRelaxed;
    this.#eol = drawn.of('\n', '\r\n', '\n');
    this.#unit = drawn.of('  ', '    ', '\t');
  }

  /** What may be between any two tokens. */
  gap(): string {
    const space = this.#noise.of('', '', ' ', this.#eol, '\t');
    if (!this.#isRelaxed || this.#noise.below(5) > 0) return space;
    const comment = this.#noise.of('/* "a": {, */', `// }, "x"${this.#eol}`, `/*${this.#eol} b */`, `//${this.#eol}`);
    return space + comment + this.#noise.of('', ' ');
  }

  write(json: Value, indent: string): string {
    if (Array.isArray(json))
      return this.#items(
        '[',
        ']',
        json.map((item) => this.write(item, indent + this.#unit)),
        indent,
      );
    if (typeof json !== 'object' || json === null) return this.#scalar(json);
    const items = json.members.map(
      ([key, item]) =>
        this.#scalar(key) +
        this.#odd() +
        ':' +
        this.#noise.of(' ', '', this.#odd()) +
        this.write(item, indent + this.#unit),
    );
    return this.#items('{', '}', items, indent);
  }

  #items(open: string, close: string, items: readonly string[], indent: string): string {
    if (items.length === 0) return open + this.gap() + close;
    const isLine = this.#noise.below(3) === 0;
    const start = isLine ? this.#noise.of('', ' ') : this.#eol + indent + this.#unit;
    const written = items.map((item, at) => {
      const isLast = at === items.length - 1;
      const hasComma = !isLast || (this.#isRelaxed && this.#noise.below(3) === 0);
      return start + this.#odd() + item + this.#odd() + (hasComma ? ',' : '') + this.#odd();
    });
    return open + written.join('') + (isLine ? this.#noise.of('', ' ') : this.#eol + indent) + close;
  }

  #odd(): string {
    return this.#noise.below(6) === 0 ? this.gap() : '';
  }

  #scalar(json: string | number | boolean | null): string {
    if (typeof json === 'number') return this.#noise.of(String(json), `${json}e0`, `${json}.50`);
    const text = JSON.stringify(json);
    return this.#noise.below(4) === 0 ? text.replaceAll('/', '\\/').replaceAll('é', '\\u00e9') : text;
  }
}

const lines = fc.record({
  blocks: fc.uniqueArray(fc.tuple(fc.nat(999), fc.nat(7)), { maxLength: 8, selector: ([id]) => id }),
  noise,
});

/** TOML with the section as tables, dotted keys, or not at all. */
export function tomlText(section: string): fc.Arbitrary<string> {
  return lines.map(({ blocks, noise: numbers }) => {
    const drawn = new Noise(numbers);
    const eol = drawn.of('\n', '\r\n');
    const pad = (): string => drawn.of('', '', `# note [${section}.x]${eol}`, eol, `  # "${eol}`);
    const pair = (key: string): string =>
      `${drawn.of('', '', '  ')}${key}${drawn.of(' = ', '=', ' =  ')}${tomlValue(drawn, eol)}${drawn.of('', '', ' # why', '   ')}${eol}`;
    const body = (id: number): string => pad() + pair(`k${id}`) + pad() + pair(`"q ${id}"`);
    const tops = blocks.filter(([, kind]) => kind === 0).map(([id]) => pad() + pair(`top${id}`));
    const dotted = drawn.below(8) === 0;
    const header = !dotted && drawn.below(4) === 0 ? `[${section}]${eol}inline_one = { command = "x" }${eol}` : '';
    const tables = blocks.flatMap(([id, kind]) => {
      if (kind === 1) return [`[t${id}]${drawn.of('', ' # t')}${eol}${body(id)}`];
      if (kind === 2) return [`[[list]]${eol}${body(id)}`, `[list.sub${id}]${eol}`];
      if (kind === 3) return [`[deep${id}.${'x.'.repeat(drawn.below(9))}y]${eol}${body(id)}`];
      if (kind > 3 && !dotted) {
        const key = `${section}.${drawn.of(`s${id}`, `"s ${id}"`, `'s.${id}'`)}`;
        return [
          `[${key}]${eol}${pad()}command = "c${id}"${eol}${body(id)}`,
          ...(kind === 5 ? [`[${key}.env]${eol}${body(id)}`] : []),
        ];
      }
      return [];
    });
    const dots = dotted ? `${section}.one.command = "x"${eol}${section}.two = { command = "y" }${eol}` : '';
    const all = tops.join('') + dots + header + tables.join(drawn.of('', eol)) + pad();
    return drawn.below(4) === 0 ? all.replace(/\r?\n$/, '') : all;
  });
}

function tomlValue(drawn: Noise, eol: string): string {
  return drawn.of(
    '"text # no comment"',
    "'C:\\dir'",
    `"""${eol}[x]${eol}a = "1"${eol}"""`,
    `'''${eol}# raw${eol}'''`,
    '1_000',
    '0xFF',
    '1.50e2',
    'true',
    '1979-05-27T07:32:00Z',
    `[ 1,${eol}  2, # two${eol}]`,
    '["a",  "b"]',
    '{ a = 1, "b c" = [ ] }',
    '[]',
  );
}

/** YAML with the section as a map of its own lines, empty, or not at all. */
export function yamlText(section: string): fc.Arbitrary<string> {
  return lines.map(({ blocks, noise: numbers }) => {
    const drawn = new Noise(numbers);
    const eol = drawn.of('\n', '\r\n');
    const unit = drawn.of('  ', '    ');
    const pad = (indent: string): string => drawn.of('', '', '', `${indent}# note: {${eol}`, eol, `# out${eol}`);
    const pair = (indent: string, key: string): string =>
      pad(indent) + `${indent}${key}:${yamlValue(drawn, indent + unit, eol)}`;
    const nested = (indent: string, id: number, depth: number): string =>
      depth === 0
        ? pair(indent, `k${id}`)
        : `${indent}m${id}:${drawn.of('', ' # m')}${eol}${nested(indent + unit, id, depth - 1)}`;
    const others = blocks.filter(([, kind]) => kind < 4).map(([id]) => nested('', id, drawn.below(4)));
    const servers = blocks
      .filter(([, kind]) => kind >= 4)
      .map(([id, kind]) => {
        const key = drawn.of(`s${id}`, `"s ${id}"`, `s.${id}`);
        const head = `${unit}${key}:${kind === 5 ? ` &n${id}` : ''}${drawn.of('', ' # s')}${eol}`;
        return (
          pad(unit) +
          head +
          pair(unit + unit, 'cmd') +
          pair(unit + unit, 'more') +
          nested(unit + unit, id, drawn.below(3))
        );
      });
    const head = `${section}:${drawn.of('', ' # all of them')}${eol}`;
    const empty = drawn.of('', `${section}: {}${eol}`, `${section}: null # none${eol}`, head);
    const own = servers.length > 0 ? head + servers.join('') : empty;
    others.splice(drawn.below(4), 0, own);
    const start = drawn.of('', '', '', `---${eol}`, `%YAML 1.2${eol}---${eol}`);
    const all = start + pad('') + others.join('') + pad('');
    return drawn.below(4) === 0 ? all.replace(/\r?\n$/, '') : all;
  });
}

function yamlValue(drawn: Noise, indent: string, eol: string): string {
  const block = [`first ${'x'.repeat(3)}`, '# no comment', 'last'].map((line) => `${indent}${line}${eol}`).join('');
  return drawn.of(
    ` text${drawn.of('', ' # why')}${eol}`,
    ` "quoted: # x"${eol}`,
    ` 'it''s'${eol}`,
    ` 1.10${eol}`,
    ` 0o17${eol}`,
    eol,
    ` ~${eol}`,
    ` [a,  "b"]${eol}`,
    ` {a: 1,   b: []}${eol}`,
    ` |${eol}${block}`,
    ` >-${eol}${block}${eol}`,
    ` |+${eol}${block}${eol}`,
    `${eol}${indent}- a${eol}${indent}- b: 1${eol}${indent}  c: 2${eol}`,
    ` plain text${eol}${indent}over two lines${eol}`,
  );
}
