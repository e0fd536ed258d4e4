import { schemaRows } from '../../shared/values/schema-rows.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';

/** Lists the fields of a schema; fields of a group or list are indented below it. */
export function SchemaFields({ schema }: { schema: JsonSchema }) {
  const rows = schemaRows(schema);
  if (rows.length === 0) return <p className="p-3 text-sm text-ink-soft">This schema has no fields.</p>;
  return (
    <table aria-label="Fields" className="w-full border-separate border-spacing-0 text-sm">
      <thead>
        <tr className="h-8 text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-3 [&>th]:font-medium">
          <th scope="col">Field</th>
          <th scope="col">Kind</th>
          <th scope="col" className="max-md:hidden">
            Description
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr
            key={index}
            className="align-top [&>td]:border-b [&>td]:border-line [&>td]:px-3 [&>td]:py-2 last:[&>td]:border-b-0"
          >
            <td style={{ paddingLeft: 12 + row.depth * 20 }} className="wrap-anywhere">
              <span className={`font-mono text-xs leading-4.5 ${row.depth > 0 ? 'border-l-2 border-line pl-2' : ''}`}>
                {row.name}
              </span>
              {row.description !== '' && (
                <span className="mt-0.5 block text-xs text-ink-soft md:hidden">{row.description}</span>
              )}
            </td>
            <td className="text-ink-soft md:whitespace-nowrap">{row.type}</td>
            <td className="text-ink-soft max-md:hidden">{row.description === '' ? '–' : row.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
