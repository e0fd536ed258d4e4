import { rangeOf, type CellRange } from './read-sheet.ts';

/** A formula that is longer is not computed. */
const maxLength = 2_000;
const maxCells = 100_000;

/** What is in a cell: a number, nothing or a text that counts for nothing (`null`), or what is no basis for arithmetic. */
export type NumberAt = (sheet: string | undefined, row: number, column: number) => number | null | undefined;

const functions: Readonly<Record<string, (values: number[]) => number | undefined>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  PRODUCT: (values) => values.reduce((product, value) => product * value, 1),
  AVERAGE: (values) =>
    values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length,
  MIN: (values) => (values.length === 0 ? 0 : Math.min(...values)),
  MAX: (values) => (values.length === 0 ? 0 : Math.max(...values)),
  ABS: ([value]) => (value === undefined ? undefined : Math.abs(value)),
  ROUND: ([value, digits = 0]) => (value === undefined ? undefined : roundTo(value, digits)),
};

const token =
  /\s*(?:(\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+)|((?:'(?:[^']|'')+'|[A-Z_][\w.]*)!)?(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?)(?![\w(])|([A-Z]+)(?=\()|([-+*/^%(),]))/iy;

/** Thrown inside for what is not arithmetic. */
const notArithmetic = Symbol('not arithmetic');

/** The result of a formula that is arithmetic over numbers in cells; undefined for any other formula. */
export function compute(formula: string, numberAt: NumberAt): number | undefined {
  if (formula.length > maxLength) return undefined;
  const tokens: RegExpExecArray[] = [];
  token.lastIndex = 0;
  const source = formula.trim();
  while (token.lastIndex < source.length) {
    const found = token.exec(source);
    if (found === null) return undefined;
    tokens.push(found);
  }
  try {
    const result = new Evaluation(tokens, numberAt).whole();
    return Number.isFinite(result) ? result : undefined;
  } catch (error) {
    if (error === notArithmetic || error instanceof RangeError) return undefined;
    throw error;
  }
}

class Evaluation {
  #at = 0;
  readonly #tokens: readonly RegExpExecArray[];
  readonly #numberAt: NumberAt;

  constructor(tokens: readonly RegExpExecArray[], numberAt: NumberAt) {
    this.#tokens = tokens;
    this.#numberAt = numberAt;
  }

  whole(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw notArithmetic;
    return value;
  }

  #take(...signs: string[]): string | undefined {
    const sign = this.#tokens[this.#at]?.[5];
    if (sign === undefined || !signs.includes(sign)) return undefined;
    this.#at += 1;
    return sign;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      const next = this.#product();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  }

  #product(): number {
    let value = this.#power();
    for (let sign = this.#take('*', '/'); sign !== undefined; sign = this.#take('*', '/')) {
      const next = this.#power();
      value = sign === '*' ? value * next : value / next;
    }
    return value;
  }

  #power(): number {
    let value = this.#signed();
    while (this.#take('^') !== undefined) value **= this.#signed();
    return value;
  }

  #signed(): number {
    const sign = this.#take('+', '-');
    if (sign !== undefined) return sign === '-' ? -this.#signed() : this.#signed();
    let value = this.#single();
    while (this.#take('%') !== undefined) value /= 100;
    return value;
  }

  #single(): number {
    if (this.#take('(') !== undefined) {
      const value = this.#sum();
      if (this.#take(')') === undefined) throw notArithmetic;
      return value;
    }
    const [, digits, , reference, name] = this.#tokens[this.#at] ?? [];
    if (digits !== undefined) {
      this.#at += 1;
      return Number(digits);
    }
    if (reference !== undefined) {
      if (reference.includes(':')) throw notArithmetic;
      return this.#cells()[0] ?? 0;
    }
    if (name !== undefined) return this.#call(name);
    throw notArithmetic;
  }

  #call(name: string): number {
    const run = functions[name.toUpperCase()];
    if (run === undefined) throw notArithmetic;
    this.#at += 1;
    this.#take('(');
    const values: number[] = [];
    while (this.#take(')') === undefined) {
      const isRange = this.#tokens[this.#at]?.[3]?.includes(':') === true;
      values.push(...(isRange ? this.#cells() : [this.#sum()]));
      if (this.#take(',') === undefined && this.#tokens[this.#at]?.[5] !== ')') throw notArithmetic;
    }
    const result = run(values);
    if (result === undefined) throw notArithmetic;
    return result;
  }

  #cells(): number[] {
    const [, , sheet, reference] = this.#tokens[this.#at]!;
    this.#at += 1;
    const range = rangeOf(reference!);
    if (!range || sizeOf(range) > maxCells) throw notArithmetic;
    const name = sheet?.slice(0, -1).replace(/^'|'$/g, '').replaceAll("''", "'");
    const values: number[] = [];
    for (let row = range.top; row <= range.bottom; row += 1) {
      for (let column = range.left; column <= range.right; column += 1) {
        const value = this.#numberAt(name, row, column);
        if (value === undefined) throw notArithmetic;
        if (value !== null) values.push(value);
      }
    }
    return values;
  }
}

function sizeOf({ top, left, bottom, right }: CellRange): number {
  return (bottom - top + 1) * (right - left + 1);
}

function roundTo(value: number, digits: number): number {
  const factor = 10 ** digits;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor + Number.EPSILON)) / factor;
}
