import type { JsonSchema } from './field-shape.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { schemaRows } from './schema-rows.ts';

/** A schema as the fields that it asks for. */
export function SchemaTable({ schema }: { schema: JsonSchema }) {
  const rows = schemaRows(schema);
  return (
    <ScrollBox label="Fields">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 bg-canvas">
          <tr className="text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-2 [&>th]:py-1 [&>th]:font-medium">
            <th>Field</th>
            <th>Kind</th>
            <th>What it is</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={index}
              className="align-top [&>td]:border-b [&>td]:border-line [&>td]:px-2 [&>td]:py-1 last:[&>td]:border-b-0"
            >
              <td
                className="font-mono text-xs leading-4.5 whitespace-nowrap"
                style={{ paddingLeft: 8 + row.depth * 14 }}
              >
                {row.name}
              </td>
              <td className="whitespace-nowrap text-ink-soft">{row.type}</td>
              <td className="text-ink-soft">{row.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
