import type { Column } from '@docwright/contract';
import { useId, useState, type Dispatch } from 'react';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { isRecord } from '../../../shared/http/json-value.ts';
import { checkColumns, type CheckedField, type RefusedTexts } from '../state/column-check.ts';
import { designerReducer, type DesignerAction } from '../state/designer-reducer.ts';
import { emptyDesign, newDesigner, type DesignerState } from '../state/designer-state.ts';
import { ColumnTable } from './column-table.tsx';

interface NestedTableProps {
  name: string;
  /** The list as it is in the schema. */
  schema: unknown;
  columns: Column[];
  /** Of the whole design: what waits for a decision, and what came of it. */
  designer: DesignerState;
  refused: RefusedTexts;
  disabled: boolean;
  stacked: boolean;
  onChange: (columns: Column[]) => void;
  /** Of decisions. */
  dispatch: Dispatch<DesignerAction>;
  onWritten: (column: Column, field: CheckedField) => void;
}

/** A list of objects as a table of its own, whose columns are written in place. What is no column of it is kept. */
export function NestedTable({
  name,
  schema,
  columns,
  designer,
  refused,
  disabled,
  stacked,
  onChange,
  dispatch,
  onWritten,
}: NestedTableProps) {
  const titleId = useId();
  const [removed, setRemoved] = useState<DesignerState['removed']>();
  const { waiting, failed, labels } = designer;
  const tables = { ...designer.design.tables, [name]: columns };
  const own = newDesigner({ ...emptyDesign, columns, tables });
  const state: DesignerState = { ...own, waiting, failed, labels, removed };
  const kept = fieldsBeside(schema);
  return (
    <section aria-labelledby={titleId} className="mt-3 flex flex-col gap-2">
      <h2 id={titleId} className="font-semibold wrap-anywhere">
        {name}
      </h2>
      <p className="text-sm text-ink-soft">A list: each of its rows has these columns.</p>
      <ColumnTable
        name={name}
        state={state}
        problems={checkColumns(columns, refused)}
        disabled={disabled}
        stacked={stacked}
        // The last column stays: a list of nothing reads nothing.
        isLastKept
        dispatch={(action) => {
          if (action.type === 'decided' || action.type === 'failureDismissed') return dispatch(action);
          const next = designerReducer(state, action);
          setRemoved(next.removed);
          onChange(next.design.columns);
        }}
        onWritten={onWritten}
      />
      {kept !== undefined && <RawJson label="Kept as it is in the schema" value={kept} />}
    </section>
  );

  /** Fields of the list that are no columns of its table. */
  function fieldsBeside(field: unknown): Record<string, unknown> | undefined {
    const items = isRecord(field) && isRecord(field['items']) ? field['items'] : {};
    const all = isRecord(items['properties']) ? items['properties'] : {};
    const beside = Object.entries(all).filter(([, each]) => isNested(each));
    return beside.length === 0 ? undefined : Object.fromEntries(beside);
  }
}

function isNested(field: unknown): boolean {
  if (!isRecord(field)) return true;
  const types = [field['type']].flat();
  return types.includes('object') || types.includes('array') || types[0] === undefined;
}
