import type { KeptField } from '@docwright/contract';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { fieldText } from '../state/column-labels.ts';

/** Fields that are no columns: lists of objects as tables of their own, others as they are. Saving keeps them. */
export function KeptFields({ fields }: { fields: readonly KeptField[] }) {
  if (fields.length === 0) return null;
  return (
    <section aria-label="Kept as they are" className="flex flex-col gap-2">
      <h2 className="font-semibold">Kept as they are</h2>
      <p className="text-sm text-ink-soft">
        These fields say more than a column can. Saving keeps them; ask the agent or edit the schema as JSON to change
        them.
      </p>
      {fields.map((field) => (
        <div key={field.name} className="rounded-md border border-line bg-surface p-3 text-sm">
          <h3 className="font-medium">{field.name}</h3>
          {field.columns !== undefined && field.columns.length > 0 ? (
            <table className="mt-2 w-full border-collapse">
              <thead>
                <tr className="[&>th]:border-b [&>th]:border-line [&>th]:py-1 [&>th]:pr-3 [&>th]:text-left [&>th]:text-xs [&>th]:font-normal [&>th]:text-ink-faint">
                  <th scope="col">Column</th>
                  <th scope="col">Type</th>
                  <th scope="col">Description</th>
                </tr>
              </thead>
              <tbody>
                {field.columns.map((column) => (
                  <tr key={column.name} className="[&>*]:py-1 [&>*]:pr-3 [&>*]:align-top">
                    <th scope="row" className="text-left font-normal">
                      {column.name}
                    </th>
                    <td className="text-ink-soft">{fieldText(column, 'type')}</td>
                    <td className="text-ink-soft">{column.description}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <RawJson label={`As it is in the schema: ${field.why}`} value={field.schema} />
          )}
        </div>
      ))}
    </section>
  );
}
