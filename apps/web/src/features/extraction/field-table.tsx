import { GitCompare, TriangleAlert } from 'lucide-react';
import { classNames } from '../../shared/ui/class-names.ts';
import { useExtractionView } from './extraction-view.tsx';
import { isTakeKey } from './field-row.tsx';
import { FieldEditor } from './field-editor.tsx';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { formatValue } from '../../shared/values/field-value.ts';
import { groundingLabel, type GroundingLabel } from '../../shared/values/grounding-labels.ts';
import type { FieldNode, TableNode } from '../../shared/values/result-tree.ts';
import { useRisk } from './risk-mark.tsx';
import { useFieldDraft } from './use-field-draft.ts';

/** A table of line items or similar; a click on a cell shows its place on the page. */
export function FieldTable({ table }: { table: TableNode }) {
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="text-left text-xs text-ink-faint">
            {table.columns.map(({ key, label }, column) => (
              <th
                key={key}
                className={classNames(
                  'border-b border-line px-2 py-1.5 font-medium first:pl-4 last:pr-4',
                  isNumeric(table, column) && 'text-right',
                )}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row[0]?.path}>
              {row.map((field) => (
                <FieldCell key={field.path} field={field} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether a column has numbers only; these and their heading are aligned to the right. */
const isNumeric = (table: TableNode, column: number) =>
  table.rows.every((row) => typeof (row[column]?.value ?? 0) === 'number');

const underlines: Record<GroundingLabel['band'], string> = {
  sure: 'decoration-good',
  near: 'decoration-warn',
  none: 'decoration-bad decoration-wavy',
};

function FieldCell({ field }: { field: FieldNode }) {
  const { grounding, problems, edit, newer, take } = useExtractionView();
  const { selection, hovered, select, hover } = useFieldFocus();
  const draft = useFieldDraft(field.path);
  const label = groundingLabel(grounding[field.path]);
  const text = formatValue(field);
  const numeric = typeof field.value === 'number';
  const risk = useRisk(field.path);
  const newerValue = newer?.get(field.path);
  const differs = newerValue !== undefined && `A newer run differs: ${newerValue || 'not given'}. T takes it.`;
  const note = [label?.long, problems.get(field.path), risk && `To check: ${risk}.`, differs].filter(Boolean).join(' ');
  return (
    <td
      data-field={field.path}
      className={classNames(
        'border-b border-line p-0 align-top',
        selection?.path === field.path && 'bg-accent-soft',
        selection?.path !== field.path && hovered === field.path && 'bg-hover',
      )}
    >
      {draft.editing && edit ? (
        <div className="min-w-40 p-1">
          <FieldEditor field={field} draft={draft} onSave={(value) => edit(field.path, value)} />
        </div>
      ) : (
        <button
          type="button"
          aria-pressed={selection?.path === field.path}
          aria-label={`${field.label}: ${text || 'not given'}. ${note}`}
          title={note === '' ? undefined : note}
          onClick={() => select(field.path)}
          onDoubleClick={edit && draft.start}
          onKeyDown={(event) => {
            if (event.key === 'F2' && edit) draft.start();
            if (isTakeKey(event) && newerValue !== undefined) take?.(field.path);
          }}
          onPointerEnter={() => hover(field.path)}
          onPointerLeave={() => hover(undefined)}
          className={classNames(
            'block w-full min-w-12 touch-manipulation px-2 py-1.5 in-[td:first-child]:pl-4 in-[td:last-child]:pr-4 focus-visible:-outline-offset-2',
            numeric ? 'text-right tabular-nums' : 'text-left',
            label && label.band !== 'sure' && `underline underline-offset-3 ${underlines[label.band]}`,
          )}
        >
          {risk !== undefined && <TriangleAlert aria-hidden className="mr-1 inline size-3.5 text-warn" />}
          {newerValue !== undefined && <GitCompare aria-hidden className="mr-1 inline size-3.5 text-warn" />}
          {text === '' ? <span className="text-ink-faint">–</span> : text}
        </button>
      )}
    </td>
  );
}
