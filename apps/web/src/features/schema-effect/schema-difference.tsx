import type { JsonSchema } from '../../shared/values/field-shape.ts';
import { schemaRows, type SchemaRow } from '../../shared/values/schema-rows.ts';

interface RowChange {
  path: string;
  before: SchemaRow | undefined;
  after: SchemaRow | undefined;
}

/** Compares two schema versions field by field: added and removed fields, changed types and descriptions. */
export function SchemaDifference({ before, after }: { before: JsonSchema; after: JsonSchema }) {
  const changes = schemaChanges(before, after);
  if (changes.length === 0) return <p className="text-sm text-ink-soft">The fields are the same.</p>;
  return (
    <section aria-label="Difference" className="overflow-x-auto">
      <table aria-label="Changed fields" className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="h-8 text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:font-medium">
            <th scope="col">Field</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path} className="align-top [&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td]:py-1.5">
              <td className="font-mono text-xs leading-4.5 wrap-anywhere">{change.path}</td>
              <td className="wrap-anywhere">
                <Change {...change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Change({ before, after }: RowChange) {
  if (before === undefined) return <span className="text-good">Added · {after?.type}</span>;
  if (after === undefined) return <span className="text-bad">Removed</span>;
  return (
    <>
      {before.type !== after.type && <OldAndNew before={before.type} after={after.type} />}
      {before.description !== after.description && <OldAndNew before={before.description} after={after.description} />}
    </>
  );
}

function OldAndNew({ before, after }: { before: string; after: string }) {
  return (
    <span className="block">
      <del className="text-bad">{before === '' ? 'no description' : before}</del> →{' '}
      <ins className="text-good no-underline">{after === '' ? 'no description' : after}</ins>
    </span>
  );
}

/** The rows that differ, by dotted path, in the order of the newer schema; removed ones come last. */
export function schemaChanges(before: JsonSchema, after: JsonSchema): RowChange[] {
  const [old, fresh] = [byPath(schemaRows(before)), byPath(schemaRows(after))];
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((path) => ({ path, before: old.get(path), after: fresh.get(path) }))
    .filter(({ before: was, after: is }) => was?.type !== is?.type || was?.description !== is?.description);
}

/** Rows by path: the names of the rows that a row is indented under, then its own. */
function byPath(rows: SchemaRow[]): Map<string, SchemaRow> {
  const above: string[] = [];
  return new Map(
    rows.map((row) => {
      above.splice(row.depth, above.length, row.name);
      return [above.join('.'), row];
    }),
  );
}
