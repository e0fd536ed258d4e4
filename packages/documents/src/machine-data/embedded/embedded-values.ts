import type { MachineData, MappedField } from '@docwright/contract';
import { agrees, type Scalar } from './agrees.ts';
import { alignRows } from './align-rows.ts';
import { typesOfField } from './schema-field.ts';

/** What a document says for machines about the values of a result. */
export interface EmbeddedValues {
  /** By path of the result, `line_items.0.amount`. A value that the document has not is absent. */
  values: Record<string, Scalar>;
  /** Lists of the result that have fewer rows than the document says. */
  shortLists: string[];
}

interface EmbeddedInput {
  machineData: readonly MachineData[];
  map: readonly MappedField[];
  result: unknown;
  /** The JSON schema of the result, for the types of its fields. */
  schema?: unknown;
}

/**
 * The values for machines of the mapped fields, at the paths of the result. Rows stand in their order; where the document
 * has more or fewer of them, those that agree most stand beside each other.
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
    const partners = alignRows(found, embedded, (value, other) => other !== undefined && agrees(value, other));
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
  return first !== undefined && more.every((each) => agrees(each, first)) ? first : undefined;
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
  return /^[-+]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
