import type { KeptField } from '@docwright/contract';
import { RawJson } from '../../../agent-ui/raw-json.tsx';

/** Fields that are no columns, as they are. Saving keeps them. */
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
          <RawJson label={`As it is in the schema: ${field.why}`} value={field.schema} />
        </div>
      ))}
    </section>
  );
}
