import { DomainError, maxConditions } from '@docwright/contract';

/** A value of a column. A missing one is null. */
export type Cell = string | number | boolean | null;

export const operators = ['>=', '<=', '!=', '=', '<', '>', '~'] as const;
export type Operator = (typeof operators)[number];

/** One condition of `where`. */
export interface Condition {
  path: string;
  op: Operator;
  /** Null only with `=` and `!=`. Not typed further: the column's values decide how it is compared. */
  value: string | null;
}

/**
 * Parses `total>=1000 and supplier~acme and iban=null`. A path or value in double quotes can contain ` and ` and operators;
 * `""` stands for a quote in it.
 * @throws DomainError `invalid_where` with the position in `details`.
 * @example parseWhere('total>=1000') // [{ path: 'total', op: '>=', value: '1000' }]
 */
export function parseWhere(text: string): Condition[] {
  const conditions: Condition[] = [];
  let rest = text;
  const at = () => text.length - rest.length;
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found[0].length);
    return found[0];
  };
  take(/^\s+/);
  for (;;) {
    if (rest === '') break;
    if (conditions.length === maxConditions) {
      throw invalidWhere(`"where" has more than ${maxConditions} conditions. Leave some out.`, at());
    }
    const path = unquoted(take(/^"(?:[^"]|"")*"/) ?? take(/^[^<>=!~"]+/)?.trim());
    if (path === undefined || path === '') throw invalidWhere('A condition starts with the path of a column.', at());
    take(/^\s+/);
    const op = take(/^(?:>=|<=|!=|=|<|>|~)/) as Operator | undefined;
    if (op === undefined) {
      throw invalidWhere(`After "${path}" one of ${operators.join(' ')} must follow, and then a value.`, at());
    }
    take(/^[^\S\n]+/);
    const quoted = take(/^"(?:[^"]|"")*"(?=\s|$)/);
    const value = quoted ?? take(/^[\s\S]+?(?=\s+and\s|\s*$)/i);
    if (value === undefined) throw invalidWhere(`"${path}${op}" needs a value, or null.`, at());
    const isNull = quoted === undefined && value.toLowerCase() === 'null';
    if (isNull && op !== '=' && op !== '!=') {
      throw invalidWhere(`null can only follow = or !=. Write "null" in quotes for the text.`, at());
    }
    conditions.push({ path, op, value: isNull ? null : unquoted(value)! });
    if (take(/^\s+and\s+/i) === undefined) {
      take(/^\s+/);
      if (rest !== '') throw invalidWhere('Conditions are joined by " and ".', at());
    } else if (rest === '') throw invalidWhere('After " and " a condition must follow.', at());
  }
  return conditions;
}

/** Whether a value satisfies a condition on it. Null satisfies only `=null`. */
export function testOf({ op, value }: Pick<Condition, 'op' | 'value'>): (cell: Cell) => boolean {
  if (value === null) return op === '=' ? (cell) => cell === null : (cell) => cell !== null;
  if (op === '~') {
    const part = foldCase(value);
    return (cell) => cell !== null && foldCase(String(cell)).includes(part);
  }
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const holds = comparisons[op];
  return (cell) => {
    if (cell === null) return false;
    if (typeof cell === 'number') return !Number.isNaN(number) && holds(cell, number);
    return holds(String(cell), value);
  };
}

const comparisons: Record<Exclude<Operator, '~'>, (cell: string | number, value: string | number) => boolean> = {
  '=': (cell, value) => cell === value,
  '!=': (cell, value) => cell !== value,
  '<': (cell, value) => cell < value,
  '<=': (cell, value) => cell <= value,
  '>': (cell, value) => cell > value,
  '>=': (cell, value) => cell >= value,
};

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function unquoted(text: string | undefined): string | undefined {
  return text?.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replaceAll('""', '"')
    : text;
}

function invalidWhere(message: string, position: number): DomainError {
  return new DomainError('invalid', 'invalid_where', message, { position });
}
