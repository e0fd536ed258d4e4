import { DomainError } from '../base/domain-error.ts';

/** How many conditions one `where` joins. */
export const maxConditions = 10;

const operators = ['>=', '<=', '!=', '=', '<', '>', '~'] as const;
export type WhereOperator = (typeof operators)[number];

/** One condition of `where`. */
export interface WhereCondition {
  path: string;
  op: WhereOperator;
  /** Null only with `=` and `!=`. Not typed further: the column's values decide how it is compared. */
  value: string | null;
}

/**
 * Parses `total>=1000 and supplier~acme and iban=null`. A path or value in double quotes can contain ` and ` and operators;
 * `""` stands for a quote in it.
 * @throws DomainError `invalid_where` with the position in `details`.
 * @example parseWhere('total>=1000') // [{ path: 'total', op: '>=', value: '1000' }]
 */
export function parseWhere(text: string): WhereCondition[] {
  const conditions: WhereCondition[] = [];
  let rest = text;
  const at = () => text.length - rest.length;
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found[0].length);
    return found[0];
  };
  /** A value without quotes, up to the next “ and ”. The search begins once for each run of spaces: they can be many. */
  const takeUntilAnd = (): string | undefined => {
    const end = rest.search(/(?<!\s)\s+and\s/i);
    const value = end < 0 ? rest.trimEnd() : rest.slice(0, end);
    rest = rest.slice(value.length);
    return value === '' ? undefined : value;
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
    const op = take(/^(?:>=|<=|!=|=|<|>|~)/) as WhereOperator | undefined;
    if (op === undefined) {
      throw invalidWhere(`After "${path}" one of ${operators.join(' ')} must follow, and then a value.`, at());
    }
    take(/^[^\S\n]+/);
    const quoted = take(/^"(?:[^"]|"")*"(?=\s|$)/);
    const value = quoted ?? takeUntilAnd();
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

/**
 * Formats conditions as a text that `parseWhere` reads. Paths and values are quoted where they must be.
 *
 * @example formatWhere([{ path: 'supplier', op: '~', value: 'Sand and Stone' }]) // 'supplier~"Sand and Stone"'
 */
export function formatWhere(conditions: readonly WhereCondition[]): string {
  return conditions
    .map(({ path, op, value }) => {
      const isPlainPath = path !== '' && path.trim() === path && !/[<>=!~"]/.test(path);
      const isPlainValue = value === null || (/^[^\s"=]+$/.test(value) && value.toLowerCase() !== 'null');
      return `${isPlainPath ? path : quoted(path)}${op}${value === null ? 'null' : isPlainValue ? value : quoted(value)}`;
    })
    .join(' and ');
}

/** A value of a column. A missing one is null. */
export type Cell = string | number | boolean | null;

/**
 * Whether a value satisfies a condition on it. Null satisfies only `=null`. Amounts that are texts (`1,200.50 EUR`) are more
 * or less than another as numbers.
 *
 * @example testOf({ op: '>=', value: '1000' })(1200) // true
 */
export function testOf({ op, value }: Pick<WhereCondition, 'op' | 'value'>): (cell: Cell) => boolean {
  if (value === null) return op === '=' ? (cell) => cell === null : (cell) => cell !== null;
  if (op === '~') {
    const part = foldCase(value);
    return (cell) => cell !== null && foldCase(String(cell)).includes(part);
  }
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const holds = comparisons[op];
  const isOrder = op !== '=' && op !== '!=';
  const amount = isOrder ? numberInText(value) : undefined;
  return (cell) => {
    if (cell === null) return false;
    if (typeof cell === 'number') return !Number.isNaN(number) && holds(cell, number);
    const own = amount === undefined || typeof cell !== 'string' ? undefined : numberInText(cell);
    return own === undefined || amount === undefined ? holds(String(cell), value) : holds(own, amount);
  };
}

const comparisons: Record<Exclude<WhereOperator, '~'>, (cell: string | number, value: string | number) => boolean> = {
  '=': (cell, value) => cell === value,
  '!=': (cell, value) => cell !== value,
  '<': (cell, value) => cell < value,
  '<=': (cell, value) => cell <= value,
  '>': (cell, value) => cell > value,
  '>=': (cell, value) => cell >= value,
};

const beyondAscii = /[^\0-\x7f]/u;

/** Most texts have no other form, and to look for one takes most of the time of a filter. */
function foldCase(text: string): string {
  return (beyondAscii.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}

const amountText = /^(?:[A-Z]{3}|[€$£])?\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*(?:[A-Z]{3}|[€$£])?$/u;
/** No amount is longer, and a long text is not worth the time. */
const maxAmountLength = 100;

/**
 * The number of a text that is nothing but a number or an amount; undefined for any other text.
 *
 * @example numberInText('EUR 1,200.50') // 1200.5
 */
export function numberInText(text: string): number | undefined {
  const written = text.trim();
  const digits = written.length > maxAmountLength ? undefined : amountText.exec(written)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function unquoted(text: string | undefined): string | undefined {
  return text?.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replaceAll('""', '"')
    : text;
}

function invalidWhere(message: string, position: number): DomainError {
  return new DomainError('invalid', 'invalid_where', message, { position });
}
