import { decimalOf, type MachineData, type MappedField } from '@docwright/contract';
import { dateReadings } from '../grounding/date-readings.ts';
import { foldedTokens } from '../grounding/fold-text.ts';
import { numberReadings } from '../grounding/number-readings.ts';

type Scalar = string | number | boolean | null;

const decimal = /^[-+]?\d+(?:\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}(?=$|T)/;
/** Two numbers are equal if they differ by at most this fraction of the larger one, which a sum of doubles is off. */
const tolerance = 4 * Number.EPSILON;
/** More pairs of rows are not compared. */
const maxPairs = 250_000;

/** The machine-readable data of a document for the values of a result. */
export interface EmbeddedValues {
  /** By path of the result, `line_items.0.amount`. A value that the document has not is absent. */
  values: Record<string, Scalar>;
  /** Lists of the result that have fewer rows than the document says. */
  shortLists: string[];
}

interface EmbeddedInput {
  machineData: readonly MachineData[];
  map: readonly MappedField[];
  /** Numbers that had to be rounded as texts of their digits; see `withExactNumbers`. */
  result: unknown;
  /** The JSON schema of the result, for the types of its fields. */
  schema?: unknown;
}

/**
 * The machine-readable values of the mapped fields, at the paths of the result. Rows keep their order; if the document
 * has more or fewer of them, those that agree most are paired.
 *
 * @example
 * ```ts
 * import { embeddedValues } from '@docwright/documents';
 *
 * embeddedValues({
 *   machineData: [{ kind: 'invoice_xml', data: { totals: { due: '84.00' } } }],
 *   map: [{ field: 'total', from: 'invoice_xml.totals.due' }],
 *   result: { total: 48 },
 * }).values; // { total: '84.00' }
 * ```
 */
export function embeddedValues({ machineData, map, result, schema }: EmbeddedInput): EmbeddedValues {
  const values: Record<string, Scalar> = {};
  const shortLists: string[] = [];
  const typed = (field: string, text: Scalar) => asType(text, typesOfField(schema, field));
  for (const { field, from } of map) {
    if (field.includes('[]')) continue;
    const value = onlyValue(machineData, from);
    if (value !== undefined && holdsScalar(result, field)) values[field] = typed(field, value);
  }
  const inLists = map.filter(({ field }) => field.includes('[]'));
  const lists = Map.groupBy(inLists, ({ field, from }) => JSON.stringify([headOf(field), headOf(from)]));
  for (const columns of lists.values()) {
    const [list, source] = [headOf(columns[0]!.field), headOf(columns[0]!.from)];
    const given = onlyList(machineData, source);
    const rows = at(result, list);
    if (given === undefined || !Array.isArray(rows)) continue;
    const embedded = given.rows.map((row) => columns.map(({ from }) => scalarAt(row, tailOf(from))));
    const found = rows.map((row) => columns.map(({ field }) => scalarAt(row, tailOf(field)) ?? null));
    const partners = alignRows(
      found,
      embedded,
      (value, other) => other !== undefined && agreesWithEmbedded(value, other),
    );
    if (partners === undefined) continue;
    for (const [row, partner] of partners.entries()) {
      // A row beyond those that were read can be right.
      if (partner === undefined && given.isCut) continue;
      for (const [column, { field }] of columns.entries()) {
        const value = partner === undefined ? null : embedded[partner]![column];
        const path = [list, row, ...(tailOf(field) === '' ? [] : [tailOf(field)])].join('.');
        if (value !== undefined) values[path] = typed(field, value);
      }
    }
    if (given.rows.length > rows.length) shortLists.push(list);
  }
  return { values, shortLists: [...new Set(shortLists)] };
}

const headOf = (path: string): string => path.split('[]')[0]!;
const tailOf = (path: string): string => (path.split('[]')[1] ?? '').replace(/^\./u, '');

function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path.split('.').reduce<unknown>((inside, key) => {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, key)) return undefined;
    return (inside as Record<string, unknown>)[key];
  }, value);
}

function scalarAt(value: unknown, path: string): Scalar | undefined {
  const found = at(value, path);
  return found === null || ['string', 'number', 'boolean'].includes(typeof found) ? (found as Scalar) : undefined;
}

function holdsScalar(result: unknown, path: string): boolean {
  const parent = path.includes('.') ? at(result, path.slice(0, path.lastIndexOf('.'))) : result;
  return typeof parent === 'object' && parent !== null && scalarAt(result, path) !== undefined;
}

/** All data of the kind that a path names, and the path inside. */
function dataOf(machineData: readonly MachineData[], from: string): { data: unknown[]; path: string } {
  const [kind = '', ...path] = from.split('.');
  return { data: machineData.filter((each) => each.kind === kind).map(({ data }) => data), path: path.join('.') };
}

/** Undefined if nothing says it, or if two codes say different things. */
function onlyValue(machineData: readonly MachineData[], from: string): Scalar | undefined {
  const { data, path } = dataOf(machineData, from);
  const [first, ...more] = data.map((each) => scalarAt(each, path)).filter((each) => each !== undefined);
  return first !== undefined && more.every((each) => agreesWithEmbedded(each, first)) ? first : undefined;
}

function onlyList(machineData: readonly MachineData[], from: string): { rows: unknown[]; isCut: boolean } | undefined {
  const { data, path } = dataOf(machineData, from);
  const lists = data.flatMap((each) => {
    const rows = at(each, path);
    return Array.isArray(rows) ? [{ rows: rows as unknown[], isCut: at(each, `more_${path}`) !== undefined }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** Amounts are texts with every digit; a field of numbers gets a number. */
function asType(value: Scalar, types: readonly string[]): Scalar {
  if (typeof value !== 'string' || !(types.includes('number') || types.includes('integer'))) return value;
  // A longer number would be rounded.
  return decimal.test(value) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/**
 * The row of `others` beside each row of `rows`, in order: by their position if there are as many, else so that most of
 * their values agree. A row without a partner has undefined. Undefined as a whole if there are too many to compare.
 */
function alignRows<Value, Other>(
  rows: readonly (readonly Value[])[],
  others: readonly (readonly Other[])[],
  agrees: (value: Value, other: Other) => boolean,
): (number | undefined)[] | undefined {
  if (rows.length === others.length) return rows.map((_, index) => index);
  if (rows.length * others.length > maxPairs) return undefined;
  const worth = rows.map((row) =>
    others.map((other) => row.filter((value, column) => agrees(value, other[column]!)).length),
  );
  // best[i][j]: most agreeing values of the rows from i and the others from j on.
  const best = Array.from({ length: rows.length + 1 }, () => Array.from({ length: others.length + 1 }, () => 0));
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      const paired = worth[i]![j]! + best[i + 1]![j + 1]!;
      best[i]![j] = Math.max(worth[i]![j]! > 0 ? paired : 0, best[i + 1]![j]!, best[i]![j + 1]!);
    }
  }
  const partners: (number | undefined)[] = [];
  for (let j = 0; partners.length < rows.length;) {
    const i = partners.length;
    if (j === others.length) partners.push(undefined);
    else if (worth[i]![j]! > 0 && best[i]![j] === worth[i]![j]! + best[i + 1]![j + 1]!) partners.push(j++);
    else if (best[i]![j] === best[i + 1]![j]) partners.push(undefined);
    else j += 1;
  }
  return partners;
}

/**
 * Whether a value says the same as one that was written for machines: `2380`, `'2.380,00 EUR'` and `'2380.00'` are one
 * amount, `'3 November 2026'` and `'2026-11-03'` one day. Texts are compared without case, accents and spaces.
 *
 * @example
 * ```ts
 * import { agreesWithEmbedded } from '@docwright/documents';
 *
 * agreesWithEmbedded('2.380,00 EUR', '2380.00'); // true
 * ```
 */
export function agreesWithEmbedded(value: Scalar, embedded: Scalar): boolean {
  if (value === null || value === '') return embedded === null || embedded === '';
  if (embedded === null || embedded === '') return false;
  if (typeof value === 'boolean' || typeof embedded === 'boolean') return String(value) === String(embedded);
  const [one, other] = [String(value).trim(), String(embedded).trim()];
  if (typeof value === 'number' && decimal.test(other)) return isSameNumber(value, other);
  // An account number is printed in groups, which no amount has.
  if (decimal.test(other)) return numbersOf(one).some((number) => isEqual(number, other)) || plain(one) === other;
  const stated = day.exec(other)?.[0];
  if (stated !== undefined) return dateReadings(foldedTokens(one), 0).some((reading) => reading.day === stated);
  return plain(one) === plain(other);
}

/** An identifier with leading zeros is no number: `007` and `7` differ. */
function numbersOf(text: string): string[] {
  return decimal.test(text) ? [text] : numberReadings(text).map(({ digits }) => digits);
}

function isEqual(one: string, other: string): boolean {
  const isIdentifier = /^0\d/.test(one) || /^0\d/.test(other);
  const [a, b] = [Number(one), Number(other)];
  // Beyond the digits of a double, only equal digits are equal.
  if (isIdentifier || Math.max(Math.abs(a), Math.abs(b)) > Number.MAX_SAFE_INTEGER)
    return digits(one) === digits(other);
  return isNear(a, b);
}

/** Identifiers with leading zeros too: a number has none. Beyond the digits of a double, only equal digits are equal. */
function isSameNumber(value: number, other: string): boolean {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return isNear(value, Number(other));
  return decimalOf(String(value)) === decimalOf(other.replace(/^\+/, ''));
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));

const digits = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^\+/, '');

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}|\s/gu, '')
    .replaceAll(/\p{Pd}|−/gu, '-')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

/**
 * The types that a JSON schema gives a field; none if it lacks the field.
 *
 * @example
 * ```ts
 * import { typesOfField } from '@docwright/documents';
 *
 * typesOfField({ properties: { rows: { items: { properties: { net: { type: 'number' } } } } } }, 'rows[].net'); // ['number']
 * ```
 */
export function typesOfField(schema: unknown, field: string): string[] {
  const parts = field.replaceAll('[]', '.[]').split('.');
  const found = parts.reduce<unknown[]>((schemas, part) => schemas.flatMap((each) => inside(each, part)), [schema]);
  return found.flatMap(alternatives).flatMap((each) => {
    const { type } = each as { type?: unknown };
    return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  });
}

function inside(schema: unknown, part: string): unknown[] {
  return alternatives(schema).flatMap((each) => {
    const { items, properties } = each as { items?: unknown; properties?: unknown };
    if (part === '[]') return items === undefined ? [] : [items];
    const isNamed = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, part);
    return isNamed ? [(properties as Record<string, unknown>)[part]] : [];
  });
}

/** A schema and what it is composed of. */
function alternatives(schema: unknown): object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf, oneOf, allOf } = schema as Record<string, unknown>;
  return [schema, ...[anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : [])).flatMap(alternatives)];
}
