import { BOUNDS } from '../core/bounds.ts';

/** Longer ones are not matched: a template must not be a way to keep the gateway busy. */
const { templateLength, templateExpressions, templateSteps, matchedUriLength } = BOUNDS;

/** A run of characters other than `not`, after `lead` where there is one. */
interface Step {
  readonly lead: string;
  readonly not: string;
  /** Characters it takes at least. */
  readonly min: 0 | 1;
  readonly isOptional: boolean;
  readonly repeats: boolean;
}

const REQUIRED = { lead: '', min: 1, isOptional: false, repeats: false } as const;
const OPTIONAL = { min: 0, isOptional: true, repeats: false } as const;
const PART: Step = { ...REQUIRED, not: '/?#&,' };

const OPERATORS: Readonly<Record<string, (count: number) => readonly (Step | string)[]>> = {
  '': (count) => (count === 1 ? [{ ...REQUIRED, not: '/' }] : list(count)),
  '+': () => [{ ...REQUIRED, not: '' }],
  '#': () => [{ ...OPTIONAL, lead: '#', not: '' }],
  '.': () => [{ ...OPTIONAL, lead: '.', not: '/?#', min: 1 }],
  '/': () => [{ ...OPTIONAL, lead: '/', not: '/?#', min: 1, repeats: true }],
  ';': () => [{ ...OPTIONAL, lead: ';', not: '/?#' }],
  '?': () => [{ ...OPTIONAL, lead: '?', not: '#' }],
  '&': () => [{ ...OPTIONAL, lead: '&', not: '#' }],
};

function list(count: number): readonly (Step | string)[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? [PART] : [',', PART])).flat();
}

/** A matcher for an RFC 6570 template, or `null` for one that cannot be matched. */
export function templateMatcher(template: string): ((uri: string) => boolean) | null {
  if (template.length > templateLength.value) return null;
  const parts = template.split(/(\{[^{}]*\})/).filter((part) => part !== '');
  if (parts.filter((part) => part.startsWith('{')).length > templateExpressions.value) return null;
  const found = parts.map((part) => (/^\{.*\}$/s.test(part) ? expression(part.slice(1, -1)) : literal(part)));
  const steps = found.flatMap((each) => each ?? []);
  if (found.includes(null) || steps.length > templateSteps.value) return null;
  return (uri) => uri.length <= matchedUriLength.value && matches(uri, steps);
}

function literal(text: string): readonly string[] | null {
  return /[{}]/.test(text) ? null : [text]; // unbalanced
}

function expression(body: string): readonly (Step | string)[] | null {
  const operator = /^[+#./;?&]/.exec(body)?.[0] ?? '';
  const variables = body.slice(operator.length).split(',');
  if (!variables.every((variable) => /^[\w.%]+(?::\d+|\*)?$/.test(variable))) return null;
  return OPERATORS[operator]?.(variables.length) ?? null;
}

/** Follows all readings at once, so that it takes one pass per step, whatever the template and the URI are. */
function matches(uri: string, steps: readonly (Step | string)[]): boolean {
  let ends = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const step of steps) {
    ends = typeof step === 'string' ? afterLiteral(uri, ends, step) : afterRun(uri, ends, step);
    if (!ends.includes(1)) return false;
  }
  return ends[uri.length] === 1;
}

function afterLiteral(uri: string, starts: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(uri.length + 1);
  for (let at = starts.indexOf(1); at >= 0; at = starts.indexOf(1, at + 1)) {
    if (uri.startsWith(text, at)) ends[at + text.length] = 1;
  }
  return ends;
}

function afterRun(uri: string, starts: Uint8Array, step: Step): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(uri.length + 1);
  let isBegun = false; // the lead was read, or there is none
  let isInside = false; // and at least one character of the run
  for (let at = 0; at <= uri.length; at++) {
    const isStart = starts[at] === 1;
    if (step.lead === '' && isStart) isBegun = true;
    const isEnd: boolean = isInside || (isBegun && step.min === 0) || (isStart && step.isOptional);
    if (isEnd) ends[at] = 1;
    const sign = uri.charAt(at);
    isInside = (isBegun || isInside) && !step.not.includes(sign);
    isBegun = step.lead !== '' && sign === step.lead && (isStart || (step.repeats && isEnd));
  }
  return ends;
}
