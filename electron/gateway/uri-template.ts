/** Longer ones are not matched: a pattern must not be a way to keep the gateway busy. */
const MAX_TEMPLATE_LENGTH = 2048;
const MAX_URI_LENGTH = 8192;
const MAX_EXPRESSIONS = 10;

const OPERATORS: Readonly<Record<string, (count: number) => string>> = {
  '': (count) => list('[^/?#&,]+', ',', count, '[^/]+'),
  '+': () => '.+',
  '#': () => '(?:#.*)?',
  '.': () => '(?:\\.[^/?#]+)?',
  '/': () => '(?:/[^/?#]+)*',
  ';': () => '(?:;[^/?#]*)?',
  '?': () => '(?:\\?[^#]*)?',
  '&': () => '(?:&[^#]*)?',
};

function list(part: string, separator: string, count: number, single: string): string {
  return count === 1 ? single : Array.from({ length: count }, () => part).join(separator);
}

/** A matcher for an RFC 6570 template, or `null` for one that cannot be matched. */
export function templateMatcher(template: string): ((uri: string) => boolean) | null {
  if (template.length > MAX_TEMPLATE_LENGTH) return null;
  const parts = template.split(/(\{[^{}]*\})/);
  if (parts.filter((part) => part.startsWith('{')).length > MAX_EXPRESSIONS) return null;
  const sources = parts.map((part) => (part.startsWith('{') ? expression(part.slice(1, -1)) : literal(part)));
  if (sources.includes(null)) return null;
  const pattern = new RegExp(`^${sources.join('')}$`, 'su');
  return (uri) => uri.length <= MAX_URI_LENGTH && pattern.test(uri);
}

function literal(text: string): string | null {
  if (/[{}]/.test(text)) return null; // unbalanced
  return text.replace(/[\\^$.*+?()[\]|/-]/g, (sign) => `\\${sign}`);
}

function expression(body: string): string | null {
  const parsed = /^([+#./;?&]?)([\w.%]+(?::\d+|\*)?(?:,[\w.%]+(?::\d+|\*)?)*)$/.exec(body);
  if (!parsed) return null;
  const count = (parsed[2] ?? '').split(',').length;
  return OPERATORS[parsed[1] ?? '']?.(count) ?? null;
}
