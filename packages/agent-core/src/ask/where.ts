import type { QueryCondition } from '@docwright/claims';
import { DomainError } from '@docwright/contract';

const condition = /^\s*([^<>=!~]+?)\s*(<=|>=|!=|=|<|>|~)\s*(.*?)\s*$/su;
const maxConditions = 10;

/**
 * The conditions of a query: `path op value`, joined by ` and `.
 *
 * @throws DomainError `invalid_query` for a part that is no condition
 */
export function parseWhere(where: string): QueryCondition[] {
  if (where.trim() === '') return [];
  const parts = where.split(/\s+and\s+/iu);
  if (parts.length > maxConditions) throw invalid(`A query has at most ${maxConditions} conditions.`);
  return parts.map((part) => {
    const found = condition.exec(part);
    if (!found) throw invalid(`“${part}” is no condition. Write path, operator and value: total>=1000, supplier~acme.`);
    const [, path, op, text] = found;
    return { path: path!, op: op as QueryCondition['op'], value: valueOf(text!) };
  });
}

const invalid = (message: string): DomainError => new DomainError('invalid', 'invalid_query', message);

function valueOf(text: string): QueryCondition['value'] {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  return text.replace(/^(["'])(.*)\1$/su, '$2');
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Whether a value satisfies a condition. Nothing satisfies only `=null`. */
export function satisfies(value: unknown, { op, value: wanted }: QueryCondition): boolean {
  if (wanted === null) return op === '!=' ? !isNothing(value) : op === '=' && isNothing(value);
  if (isNothing(value)) return false;
  if (Array.isArray(value)) return value.some((each) => satisfies(each, { path: '', op, value: wanted }));
  if (op === '~') return String(value).toLowerCase().includes(String(wanted).toLowerCase());
  const order = compare(value, wanted);
  if (order === undefined) return op === '!=';
  switch (op) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** Negative if `one` comes first; undefined if the two cannot be compared. */
export function compare(one: unknown, other: unknown): number | undefined {
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left - right;
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain(one) || !isPlain(other)) return undefined;
  if ((left === undefined) !== (right === undefined) && typeof other === 'number') return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return text(one).localeCompare(text(other), 'en', { sensitivity: 'accent' });
}

const amount = /^\s*([A-Z]{3}|[€$£])?\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*([A-Z]{3}|[€$£])?\s*$/u;

/** The number of a value, also of an amount in text; undefined without one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = amount.exec(value)?.[2];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

const codeOfSign: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };

/** The currency that stands in a value. */
export function currencyInside(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const found = amount.exec(value);
  const sign = found?.[1] ?? found?.[3];
  return sign === undefined ? undefined : (codeOfSign[sign] ?? sign);
}
