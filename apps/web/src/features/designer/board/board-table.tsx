import type { Column } from '@docwright/contract';
import { Plus, Table2 } from 'lucide-react';
import { Fragment, type Dispatch, type ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import type { CheckedField, ColumnProblems } from '../state/column-check.ts';
import { ColumnRow } from './column-row.tsx';
import { columnFields, fieldLabels, emptyColumn, type ColumnField } from '../state/column-labels.ts';
import type { DesignerAction } from '../state/designer-reducer.ts';
import type { DesignerState, FailedCall } from '../state/designer-state.ts';
import { FailedCallNotice } from './failed-call-notice.tsx';
import { columnOf, tableOfCall, tableRows } from '../state/proposals.ts';

interface BoardTableProps {
  /** Name of the list; undefined for the schema's own columns. */
  name?: string;
  /** Whether the last column cannot be removed. */
  isLastKept?: boolean;
  state: DesignerState;
  problems: ColumnProblems;
  disabled: boolean;
  stacked: boolean;
  dispatch: Dispatch<DesignerAction>;
  onEdited: (column: Column, field: CheckedField) => void;
}

const widths: Record<ColumnField, string> = {
  name: 'w-[19%]',
  type: 'w-25',
  description: '',
  allowedValues: 'w-[14%]',
  regex: 'w-[12%]',
};

/** The table of columns, including proposed changes. */
export function BoardTable(props: BoardTableProps) {
  const { name, isLastKept = false, state, problems, disabled, stacked, dispatch, onEdited } = props;
  const tableLabel = name === undefined ? 'Columns' : `Columns of ${name}`;
  const { columns } = state.design;
  const { tables = {} } = state.design;
  const rows = tableRows(columns, state.waiting, { table: name, tables });
  const failed = state.failed.filter((call) => tableOfCall(call, tables) === name);
  const isPlaced = (call: FailedCall) => columns.some(({ id }) => id === columnOf(call));
  const failedAt = (id: string | undefined) => failed.filter((call) => id !== undefined && columnOf(call) === id);
  const unplaced = failed.filter((call) => !isPlaced(call));
  const add = () => {
    const column = newColumn(columns, name);
    dispatch({ type: 'columnAdded', column });
    setTimeout(() => document.querySelector<HTMLElement>(`[data-cell="${column.id} name"]`)?.focus());
  };
  const addButton = !disabled && (
    <Button size="small" onClick={add}>
      <Plus aria-hidden className="size-4" /> Add a column
    </Button>
  );
  const below = (
    <div className="flex flex-wrap items-center gap-3">
      {addButton}
      {state.removed && (
        <output className="flex items-center gap-1 text-sm text-ink-soft">
          {state.removed.column.name.trim() === '' ? 'A column' : `“${state.removed.column.name}”`} was removed.
          <Button size="small" look="quiet" onClick={() => dispatch({ type: 'removalUndone' })}>
            Undo
          </Button>
        </output>
      )}
    </div>
  );
  if (rows.length === 0 && failed.length === 0 && !state.removed) {
    return (
      <EmptyState icon={Table2} title="No columns yet" actions={addButton}>
        {disabled
          ? 'This schema extracts nothing yet.'
          : 'Tell the agent what you want to know from your documents. Its proposals appear here. Or add columns yourself.'}
      </EmptyState>
    );
  }
  const shown = rows.map((row) => {
    const index = columns.findIndex(({ id }) => id === row.column?.id);
    const label = row.call ? (state.labels[row.call.id] ?? 'Proposed change') : (row.column?.name ?? '');
    const line = (
      <ColumnRow
        column={row.column}
        call={row.call}
        proposal={row.proposal}
        isFurther={row.column !== undefined && row.key !== row.column.id}
        index={index}
        count={columns.length}
        label={label}
        problems={row.column && problems.get(row.column.id)}
        disabled={disabled}
        canRemove={!isLastKept || columns.length > 1}
        stacked={stacked}
        dispatch={dispatch}
        onEdited={onEdited}
      />
    );
    return { key: row.key, line, failed: row.key === row.column?.id ? failedAt(row.column.id) : [] };
  });
  const notice = (call: FailedCall) => (
    <FailedCallNotice call={call} label={state.labels[call.id]} dispatch={dispatch} />
  );
  if (stacked) {
    return (
      <div className="flex flex-col gap-3">
        <ul aria-label={tableLabel} className="overflow-hidden rounded-lg border border-line bg-surface">
          {shown.map(({ key, line, failed }) => (
            <Fragment key={key}>
              {line}
              {failed.map((call) => (
                <li key={call.id}>{notice(call)}</li>
              ))}
            </Fragment>
          ))}
          {unplaced.map((call) => (
            <li key={call.id}>{notice(call)}</li>
          ))}
        </ul>
        {below}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="relative overflow-x-auto rounded-lg border border-line bg-surface">
        <table
          aria-label={tableLabel}
          className="w-full min-w-152 table-fixed border-separate border-spacing-0 text-sm"
        >
          <thead>
            <tr className="text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:px-1.5 [&>th]:py-2 [&>th]:font-medium">
              <th scope="col" className="w-7">
                <span className="sr-only">Proposed</span>
              </th>
              {columnFields.map((field) => (
                <th key={field} scope="col" className={widths[field]}>
                  {fieldLabels[field]}
                </th>
              ))}
              <th scope="col" className="w-17">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody className="[&>tr>td]:border-b [&>tr>td]:border-line [&>tr>td]:px-0.5 [&>tr>td]:py-1 [&>tr>td]:align-top [&>tr:last-child>td]:border-b-0">
            {shown.map(({ key, line, failed }) => (
              <Fragment key={key}>
                {line}
                {failed.map((call) => (
                  <NoticeRow key={call.id}>{notice(call)}</NoticeRow>
                ))}
              </Fragment>
            ))}
            {unplaced.map((call) => (
              <NoticeRow key={call.id}>{notice(call)}</NoticeRow>
            ))}
          </tbody>
        </table>
      </div>
      {below}
    </div>
  );
}

function NoticeRow({ children }: { children: ReactNode }) {
  return (
    <tr>
      <td colSpan={columnFields.length + 2}>{children}</td>
    </tr>
  );
}

/** An empty column with a unique id; columns that the agent adds get their ids from the server. */
function newColumn(columns: Column[], table: string | undefined): Column {
  const takenIds = new Set(columns.map(({ id }) => id));
  const prefix = table === undefined ? 'own' : `own_${table.replaceAll(/\W/gu, '_')}`;
  let number = columns.length + 1;
  while (takenIds.has(`${prefix}_${number}`)) number += 1;
  return { ...emptyColumn, id: `${prefix}_${number}` };
}
