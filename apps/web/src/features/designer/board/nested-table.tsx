import type { Column } from '@docwright/contract';
import { useId, useState, type Dispatch } from 'react';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { isRecord } from '../../../shared/http/json-value.ts';
import { checkColumns, type CheckedField, type RejectedTexts } from '../state/column-check.ts';
import { designerReducer, type DesignerAction } from '../state/designer-reducer.ts';
import { emptyDesign, newDesigner, type DesignerState } from '../state/designer-state.ts';
import { BoardTable } from './board-table.tsx';

interface NestedTableProps {
  name: string;
  /** The list's JSON schema. */
  schema: unknown;
  columns: Column[];
  /** The state of the whole design, with its pending and failed calls. */
  designer: DesignerState;
  rejected: RejectedTexts;
  disabled: boolean;
  stacked: boolean;
  onChange: (columns: Column[]) => void;
  /** Receives decisions about calls. */
  dispatch: Dispatch<DesignerAction>;
  onEdited: (column: Column, field: CheckedField) => void;
}

/** The table of columns of a list of objects; fields that columns cannot express are kept. */
export function NestedTable({
  name,
  schema,
  columns,
  designer,
  rejected,
  disabled,
  stacked,
  onChange,
  dispatch,
  onEdited,
}: NestedTableProps) {
  const titleId = useId();
  const [removed, setRemoved] = useState<DesignerState['removed']>();
  const { waiting, failed, labels } = designer;
  const tables = { ...designer.design.tables, [name]: columns };
  const listDesigner = newDesigner({ ...emptyDesign, columns, tables });
  const state: DesignerState = { ...listDesigner, waiting, failed, labels, removed };
  const otherFields = nestedFieldsIn(schema);
  return (
    <section aria-labelledby={titleId} className="mt-3 flex flex-col gap-2">
      <h2 id={titleId} className="font-semibold wrap-anywhere">
        {name}
      </h2>
      <p className="text-sm text-ink-soft">A list: each of its rows has these columns.</p>
      <BoardTable
        name={name}
        state={state}
        problems={checkColumns(columns, rejected)}
        disabled={disabled}
        stacked={stacked}
        // A list needs at least one column.
        isLastKept
        dispatch={(action) => {
          if (action.type === 'decided' || action.type === 'failureDismissed') return dispatch(action);
          const next = designerReducer(state, action);
          setRemoved(next.removed);
          onChange(next.design.columns);
        }}
        onEdited={onEdited}
      />
      {otherFields !== undefined && <RawJson label="Unchanged fields" value={otherFields} />}
    </section>
  );
}

/** The fields of a list's items that columns cannot express. */
function nestedFieldsIn(list: unknown): Record<string, unknown> | undefined {
  const items = isRecord(list) && isRecord(list['items']) ? list['items'] : {};
  const properties = isRecord(items['properties']) ? items['properties'] : {};
  const nested = Object.entries(properties).filter(([, field]) => isNested(field));
  return nested.length === 0 ? undefined : Object.fromEntries(nested);
}

function isNested(field: unknown): boolean {
  if (!isRecord(field)) return true;
  const types = [field['type']].flat();
  return types.includes('object') || types.includes('array') || types[0] === undefined;
}
