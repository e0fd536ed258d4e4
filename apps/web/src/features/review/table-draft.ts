import { isRecord } from '../../shared/http/json-value.ts';
import {
  itemSchema,
  labelOf,
  propertySchema,
  shapeOf,
  type FieldShape,
  type JsonSchema,
} from '../../shared/values/field-shape.ts';
import { valueAt } from '../../shared/values/value-path.ts';

type Cell = string | number | boolean | null;

/** A list of flat objects while it is edited. Immutable: each change returns a new draft. */
interface TableDraft {
  columns: readonly { key: string; label: string; shape: FieldShape }[];
  rows: readonly DraftRow[];
}

interface DraftRow {
  /** Stays the same while rows are inserted and deleted. */
  id: number;
  /** The row's index before the edit; undefined for a new row. */
  origin: number | undefined;
  cells: Readonly<Record<string, Cell>>;
}

/** The table that a path leads into; undefined for a path outside of a table: `line_items.2.amount` → `line_items`. */
export function tablePathOf(path: string, result: unknown): string | undefined {
  const parts = path.split('.');
  for (let length = 1; length <= parts.length; length += 1) {
    const at = parts.slice(0, length).join('.');
    const value = valueAt(result, at);
    if (Array.isArray(value)) return value.every(isFlat) ? at : undefined;
  }
  return undefined;
}

const isFlat = (row: unknown) =>
  isRecord(row) && Object.values(row).every((cell) => cell === null || typeof cell !== 'object');

/** The schema of the value at a path. */
export function schemaAt(schema: JsonSchema | undefined, path: string): JsonSchema | undefined {
  return path
    .split('.')
    .reduce<JsonSchema | undefined>(
      (at, part) => (/^\d+$/u.test(part) ? itemSchema(at) : propertySchema(at, part)),
      schema,
    );
}

/** Columns follow the schema's order; columns that it does not have come last. */
export function tableDraft(list: unknown, schema: JsonSchema | undefined): TableDraft {
  const rows = (Array.isArray(list) ? list : []) as Record<string, Cell>[];
  const item = itemSchema(schema);
  const properties = item?.['properties'];
  const keys = new Set([...(isRecord(properties) ? Object.keys(properties) : []), ...rows.flatMap(Object.keys)]);
  return {
    columns: [...keys].map((key) => ({
      key,
      label: labelOf(key),
      shape: shapeOf(propertySchema(item, key), rows.find((row) => row[key] !== null)?.[key] ?? null),
    })),
    rows: rows.map((cells, origin) => ({ id: origin, origin, cells })),
  };
}

export function withCell(draft: TableDraft, row: number, key: string, value: Cell): TableDraft {
  const rows = draft.rows.map((each, index) =>
    index === row ? { ...each, cells: { ...each.cells, [key]: value } } : each,
  );
  return { ...draft, rows };
}

/** Inserts an empty row: each cell is null if its column allows it, else the first option or the type's empty value. */
export function withRow(draft: TableDraft, at: number): TableDraft {
  const cells = Object.fromEntries(draft.columns.map(({ key, shape }) => [key, emptyOf(shape)]));
  const id = Math.max(-1, ...draft.rows.map((row) => row.id)) + 1;
  return { ...draft, rows: draft.rows.toSpliced(at, 0, { id, origin: undefined, cells }) };
}

export const withoutRow = (draft: TableDraft, at: number): TableDraft => ({
  ...draft,
  rows: draft.rows.toSpliced(at, 1),
});

function emptyOf({ type, nullable, options }: FieldShape): Cell {
  if (nullable) return null;
  if (options?.[0] !== undefined) return options[0];
  return type === 'text' ? '' : type === 'boolean' ? false : 0;
}

/** The draft with the rows that were typed before the page was loaded again, if there are any. */
export function withKept(draft: TableDraft, kept: string | null): TableDraft {
  try {
    const rows: unknown = JSON.parse(kept ?? '');
    return Array.isArray(rows) ? { ...draft, rows: rows as DraftRow[] } : draft;
  } catch {
    return draft;
  }
}

export const listOf = ({ rows }: TableDraft): Record<string, Cell>[] => rows.map(({ cells }) => ({ ...cells }));

/** Whether saving would change anything. */
export function isChanged({ rows }: TableDraft, list: unknown): boolean {
  return JSON.stringify(rows.map(({ cells }) => cells)) !== JSON.stringify(list ?? []);
}

/** How many cells differ from those of the list, including all cells of inserted and deleted rows. */
export function changedValues({ columns, rows }: TableDraft, list: unknown): number {
  const before = (Array.isArray(list) ? list : []) as Record<string, Cell>[];
  const inRow = ({ origin, cells }: DraftRow) => {
    const was = origin === undefined ? undefined : before[origin];
    return was ? columns.filter(({ key }) => (was[key] ?? null) !== (cells[key] ?? null)).length : columns.length;
  };
  const present = new Set(rows.map(({ origin }) => origin));
  const deleted = before.filter((_row, index) => !present.has(index)).length;
  return rows.reduce((sum, row) => sum + inRow(row), deleted * columns.length);
}
