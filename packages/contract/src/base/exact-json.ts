/** JSON whose numbers kept their digits. */
export interface ExactJson {
  /** As from `JSON.parse`, but a number beyond the range of JavaScript's is its text. */
  value: unknown;
  /** By path (`line_items.0.account`), the digits of each number that JavaScript's numbers would round. */
  raw: Record<string, string>;
  /** Paths of numbers beyond the range of JavaScript's, such as `1e400`. */
  unrepresentable: string[];
}

/** Up to 15 significant digits a JavaScript number is exact, so most texts need no second look. */
const canRound = /\d[\d.]{14}|\d[eE]/;

/**
 * Parses JSON and keeps the digits of numbers that JavaScript would round. Throws a SyntaxError like `JSON.parse`.
 *
 * @example
 * import { parseExactJson } from '@docwright/contract';
 *
 * parseExactJson('{"account":12345678901234567890}').raw; // { account: '12345678901234567890' }
 */
export function parseExactJson(text: string): ExactJson {
  if (!canRound.test(text)) return { value: JSON.parse(text) as unknown, raw: {}, unrepresentable: [] };
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  const found: ExactJson = { value: undefined, raw: {}, unrepresentable: [] };
  const marked = parse(text, (_key, value, { source }) =>
    typeof value !== 'number' || source === undefined || isExact(value, source) ? value : new Rounded(value, source),
  );
  found.value = resolve(marked, '', found);
  return found;
}

/** TypeScript does not know the third argument yet. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

class Rounded {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }
}

function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && decimalOf(String(value)) === decimalOf(source);
}

function resolve(value: unknown, path: string, found: ExactJson): unknown {
  if (value instanceof Rounded) {
    if (!Number.isFinite(value.value)) {
      found.unrepresentable.push(path);
      return value.source;
    }
    // Two places can have the same path (`{"a.b":1,"a":{"b":2}}`): one that lost digits stays.
    if (!Object.hasOwn(found.raw, path) || losesDigits(value.source))
      Object.defineProperty(found.raw, path, { ...plain, value: value.source });
    return value.value;
  }
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, below] of Object.entries(value)) {
    const resolved = resolve(below, path === '' ? key : `${path}.${key}`, found);
    // Only a marker is replaced: assigning to an own `__proto__` would change the prototype.
    if (resolved !== below) Object.defineProperty(value, key, { ...plain, value: resolved });
  }
  return value;
}

/**
 * Parses JSON for a program that sends it on: a number that JavaScript would round is the text of its digits. Throws a
 * SyntaxError like `JSON.parse`.
 *
 * @example
 * import { parseJsonWithDigits } from '@docwright/contract';
 *
 * parseJsonWithDigits('{"account":12345678901234567890}'); // { account: '12345678901234567890' }
 */
export function parseJsonWithDigits(text: string): unknown {
  if (!canRound.test(text)) return JSON.parse(text) as unknown;
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value !== 'number' || source === undefined || isExact(value, source) ? value : source,
  );
}

/**
 * Says which number lost digits when it was parsed; undefined if none did. 17 digits that a program writes of one of
 * JavaScript's numbers (`0.10000000000000001`) lose nothing.
 *
 * @example
 * import { lostDigits, parseExactJson } from '@docwright/contract';
 *
 * lostDigits(parseExactJson('{"account":1e400}')); // 'account is a number beyond the range of numbers …'
 */
export function lostDigits({ raw, unrepresentable }: Pick<ExactJson, 'raw' | 'unrepresentable'>): string | undefined {
  const [tooLarge] = unrepresentable;
  if (tooLarge !== undefined) {
    return `${tooLarge} is a number beyond the range of numbers (about 1.8e308): give it as a text.`;
  }
  const rounded = Object.entries(raw).find(([, digits]) => losesDigits(digits));
  if (rounded === undefined) return undefined;
  const [path, digits] = rounded;
  const excerpt = digits.length > 100 ? `${digits.slice(0, 100)}…` : digits;
  return `${path} is ${excerpt}, a number that would lose digits: give it as a text.`;
}

/**
 * Whether a number has digits that JavaScript's number does not keep. 17 digits that a program writes of one of JavaScript's
 * numbers lose nothing.
 *
 * @example
 * import { losesDigits } from '@docwright/contract';
 *
 * losesDigits('12345678901234567891'); // true
 * losesDigits('0.10000000000000001'); // false
 */
export function losesDigits(digits: string): boolean {
  return decimalOf(Number(digits).toPrecision(17)) !== decimalOf(digits);
}

/**
 * The texts in a value that are numbers which JavaScript would round, by path from the given one: what a JSON client can
 * send of such a number.
 *
 * @example
 * import { textsOfRoundedNumbers } from '@docwright/contract';
 *
 * textsOfRoundedNumbers({ account: '12345678901234567890' }, 'rows.0'); // Map { 'rows.0.account' => '12345678901234567890' }
 */
export function textsOfRoundedNumbers(value: unknown, path: string): Map<string, string> {
  const found = new Map<string, string>();
  if (typeof value === 'string') {
    const number = isJsonNumber.test(value) && value.length <= maxDigits ? Number(value) : Number.NaN;
    if (Number.isFinite(number) && !isExact(number, value)) found.set(path, value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, below] of Object.entries(value)) {
      for (const [at, digits] of textsOfRoundedNumbers(below, path === '' ? key : `${path}.${key}`))
        found.set(at, digits);
    }
  }
  return found;
}

const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const maxDigits = 10_000;

const plain = { configurable: true, enumerable: true, writable: true } as const;

/**
 * A decimal number in its only canonical form, for comparing numbers by their digits. Undefined for any other text.
 *
 * @example
 * import { decimalOf } from '@docwright/contract';
 *
 * decimalOf('-120.50') === decimalOf('-1.205e2'); // true
 */
export function decimalOf(text: string): string | undefined {
  const { sign, whole, fraction = '', exponent = '0' } = written.exec(text)?.groups ?? {};
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === '0') from += 1;
  if (from === digits.length) return '0';
  let to = digits.length;
  while (digits[to - 1] === '0') to -= 1;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

const written = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;
