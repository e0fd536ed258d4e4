import { Environment } from '@marcbachmann/cel-js';

/** Limits of one expression, enforced by the parser. */
const limits = { maxAstNodes: 400, maxDepth: 40, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 8 };

/** Maximum number of characters. A longer expression is not parsed. */
export const maxExpressionLength = 2000;

/** Functions that iterate over a whole list. */
export const listFunctions: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'join', 'in']);

/** Macros that evaluate their last argument for each element of a list. */
export const macros: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

/**
 * The language of checks: the Common Expression Language with `sum`, `min`, `max`, `abs`, `round`, `date` and
 * `iban_valid`. Integers and doubles mix in arithmetic, because JSON has one kind of number. An expression always
 * terminates, calls no other functions and reads only the result.
 */
export const checkLanguage = createLanguage();

function createLanguage(): Environment {
  const language = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, limits });
  const arithmetic: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
  };
  for (const [operator, compute] of Object.entries(arithmetic)) {
    const handler = (a: number | bigint, b: number | bigint) => compute(Number(a), Number(b));
    language.registerOperator(`double ${operator} int`, handler);
    language.registerOperator(`int ${operator} double`, handler);
  }
  language.registerOperator('double == int', (a: number, b: bigint) => a === Number(b));
  language.registerFunction('sum(list): double', (values: unknown) => numbersOf(values).reduce((a, b) => a + b, 0));
  language.registerFunction('min(list): double', (values: unknown) => extreme(values, (a, b) => a < b));
  language.registerFunction('max(list): double', (values: unknown) => extreme(values, (a, b) => a > b));
  language.registerFunction('abs(double): double', Math.abs);
  language.registerFunction('abs(int): int', (value: bigint) => (value < 0n ? -value : value));
  language.registerFunction('round(double): double', Math.round);
  language.registerFunction('round(double, int): double', (value: number, digits: bigint) =>
    Number(value.toFixed(Math.min(10, Math.max(0, Number(digits))))),
  );
  language.registerFunction('date(string): google.protobuf.Timestamp', dateOf);
  language.registerFunction('iban_valid(string): bool', isValidIban);
  return language;
}

function numbersOf(values: unknown): number[] {
  return [...(values as Iterable<unknown>)].map((value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw new Error('A value of the list is not a number.');
    return Number(value);
  });
}

function extreme(values: unknown, isBetter: (a: number, b: number) => boolean): number {
  const numbers = numbersOf(values);
  if (numbers.length === 0) throw new Error('The list is empty.');
  return numbers.reduce((best, value) => (isBetter(value, best) ? value : best));
}

/** A day (`2025-01-31`) or a time in ISO 8601; a day starts at midnight UTC. */
function dateOf(text: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    throw new Error('The text is not an ISO 8601 date.');
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error('The text is not an ISO 8601 date.');
  return date;
}

/** Whether a text is an IBAN with valid check digits (ISO 13616, mod 97). Spaces are allowed. */
function isValidIban(text: string): boolean {
  const iban = text.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const digits = /\d/.test(character) ? character : String(character.charCodeAt(0) - 55);
    for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}
