import { isRecord, parseJson } from '../api/json-value.ts';
import type { JsonSchema } from '../extraction/field-shape.ts';
import { schemaInArguments, schemaRows, type SchemaRow } from './schema-rows.ts';

export type ChangedRow = SchemaRow &
  ({ kind: 'added' | 'removed' } | { kind: 'changed'; before: Pick<SchemaRow, 'type' | 'description'> });

export interface SchemaDifference {
  /** What goes first, then what stays changed or comes, each in its schema's order. */
  rows: ChangedRow[];
  /** How many fields stay as they are. */
  kept: number;
}

/** A preview's two texts as a change of fields; undefined where they are no schemas. */
export function schemaDifference(before: string, after: string): SchemaDifference | undefined {
  const [old, next] = [schemaInText(before), schemaInText(after)];
  if (!old || !next) return undefined;
  const oldRows = new Map(schemaRows(old).map((row) => [row.path, row]));
  const nextRows = schemaRows(next);
  const nextPaths = new Set(nextRows.map(({ path }) => path));
  const removed = [...oldRows.values()]
    .filter(({ path }) => !nextPaths.has(path))
    .map((row): ChangedRow => ({ ...row, kind: 'removed' }));
  const others = nextRows.flatMap((row): ChangedRow[] => {
    const was = oldRows.get(row.path);
    if (!was) return [{ ...row, kind: 'added' }];
    if (was.type === row.type && was.description === row.description) return [];
    return [{ ...row, kind: 'changed', before: { type: was.type, description: was.description } }];
  });
  const touched = others.filter(({ kind }) => kind === 'changed').length;
  return { rows: [...removed, ...others], kept: oldRows.size - removed.length - touched };
}

/** The preview of a schema is its name and, from the first brace on, its response format as JSON. */
function schemaInText(text: string): JsonSchema | undefined {
  const start = text.indexOf('{');
  const value = start < 0 ? undefined : parseJson(text.slice(start));
  return isRecord(value) ? schemaInArguments({ response_format: value }) : undefined;
}
