import { formatValue } from '../../../shared/values/field-value.ts';
import type { JsonSchema } from '../../../shared/values/field-shape.ts';
import { fieldsOf, resultTree, type FieldNode } from '../../../shared/values/result-tree.ts';

/** One value that differs between two results, formatted. */
export interface ValueChange {
  path: string;
  label: string;
  /** Empty if there was no value. */
  before: string;
  after: string;
}

/**
 * The values that differ between two results, in the order of the newer one; removed values come last. Dates are written
 * as everywhere else if the schema says which values are dates.
 *
 * @example valueChanges({ total: 5 }, { total: 6 }) // [{ path: 'total', label: 'Total', before: '5.00', after: '6.00' }]
 */
export function valueChanges(before: unknown, after: unknown, schema?: JsonSchema): ValueChange[] {
  const old = new Map(fieldsOf(resultTree(before, schema)).map((field) => [field.path, field]));
  const fresh = new Map(fieldsOf(resultTree(after, schema)).map((field) => [field.path, field]));
  const paths = [...new Set([...fresh.keys(), ...old.keys()])];
  return paths.flatMap((path) => {
    const [was, is] = [old.get(path), fresh.get(path)];
    if ((was?.value ?? null) === (is?.value ?? null)) return [];
    return [
      { path, label: labelWithRow(is ?? was), before: was ? formatValue(was) : '', after: is ? formatValue(is) : '' },
    ];
  });
}

/** `line_items.0.amount` → "Amount, row 1". */
function labelWithRow(field: FieldNode | undefined): string {
  const row = field?.path.split('.').findLast((part) => /^\d+$/u.test(part));
  return `${field?.label ?? ''}${row === undefined ? '' : `, row ${Number(row) + 1}`}`;
}
