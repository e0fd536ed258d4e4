import { createHash } from 'node:crypto';
import type { CellEvidence } from '@docwright/claims';
import type { AskResult } from './services.ts';
import { currencyInside, numberOf } from './values.ts';

/** A short id that the same content always has, so that a resumed turn cites the same. */
export const idOf = (kind: 'c' | 'a' | 'x' | 'p', ...parts: readonly unknown[]): string =>
  kind + createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 9);

function valueAt(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** The value at a path like `seller.name`. */
export function fieldValue(result: unknown, path: string): unknown {
  return path.includes('.') ? path.split('.').reduce(valueAt, result) : valueAt(result, path);
}

const currencyName = /currency|währung|waehrung|devise|moneda/iu;

/** Reads the currency of an amount: in the value, or in a field beside it whose name holds “currency”. */
export function currencyReader(path: string): (result: unknown, value: unknown) => string | undefined {
  const above = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : undefined;
  // Results of a prompt have the same fields: the one that held it in the last result is looked at first.
  let known: string | undefined;
  const codeIn = (place: unknown): string | undefined => {
    if (typeof place !== 'object' || place === null) return undefined;
    if (known === undefined || !Object.hasOwn(place, known)) {
      known = Object.keys(place).find((name) => currencyName.test(name));
    }
    const code = known === undefined ? undefined : (place as Record<string, unknown>)[known];
    if (typeof code !== 'string') return undefined;
    const plain = code.trim();
    return /^[A-Za-z]{3}$/u.test(plain) ? plain.toUpperCase() : undefined;
  };
  return (result, value) => {
    if (typeof value !== 'number') {
      if (numberOf(value) === undefined) return undefined;
      const inside = currencyInside(value);
      if (inside !== undefined) return inside;
    }
    return (above === undefined ? undefined : codeIn(fieldValue(result, above))) ?? codeIn(result);
  };
}

/** Whether a field holds amounts; counts, rates and periods beside a currency are none. */
export const isAmount = (path: string): boolean =>
  !/(?:count|quantity|qty|number|anzahl|menge|rate|percent|days|months|years|tage)(?:_|$)/iu.test(path);

/** What cells are read from. */
export type ReadResult = Pick<AskResult, 'document_id' | 'result'>;

/** Reads the value of results at a path, as evidence; undefined where they have none. */
export function cellReader(prompt_id: string, path: string): (row: ReadResult) => CellEvidence | undefined {
  const currencyOf = isAmount(path) ? currencyReader(path) : () => undefined;
  return ({ document_id, result }) => {
    const value = fieldValue(result, path);
    if (value === undefined || value === null || value === '') return undefined;
    const currency = currencyOf(result, value);
    let id: string | undefined;
    const cell: CellEvidence = {
      kind: 'cell',
      // An aggregate rests on many cells, and few of them are named.
      get id() {
        return (id ??= idOf('c', prompt_id, document_id, path));
      },
      document_id,
      path,
      value,
    };
    if (currency !== undefined) cell.currency = currency;
    return cell;
  };
}
