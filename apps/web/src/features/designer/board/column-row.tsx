import type { Column } from '@docwright/contract';
import { memo, type Dispatch, type ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { checkedFields, type CheckedField } from '../state/column-check.ts';
import { cellTexts, EditCell, ProposedCell } from './column-cell.tsx';
import { columnFields, fieldLabels, type ColumnField } from '../state/column-labels.ts';
import type { DesignerAction } from '../state/designer-reducer.ts';
import type { ColumnCall } from '../state/designer-state.ts';
import { ProposalActions } from './proposal-actions.tsx';
import type { SchemaProposal } from '../state/proposals.ts';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { MenuItem, MenuLine } from '../../../shared/ui/menu.tsx';
import { ActionsMenu } from '../../../shared/ui/actions-menu.tsx';

interface ColumnRowProps {
  /** Undefined for a proposed column. */
  column: Column | undefined;
  call: ColumnCall | undefined;
  /** The proposed change of this column. */
  proposal: SchemaProposal | undefined;
  /** Whether the row above shows another change of the same column. */
  isFurther: boolean;
  index: number;
  count: number;
  label: string;
  problems: Partial<Record<ColumnField, string>> | undefined;
  disabled: boolean;
  canRemove: boolean;
  /** Shows the fields one below the other, for narrow windows. */
  stacked: boolean;
  dispatch: Dispatch<DesignerAction>;
  onEdited: (column: Column, field: CheckedField) => void;
}

const looks = {
  add: { row: 'bg-good-soft', sign: '+', label: 'Proposed: a new column', tone: 'text-good' },
  edit: { row: 'bg-warn-soft', sign: '~', label: 'Proposed: a change', tone: 'text-warn' },
  remove: { row: 'bg-bad-soft', sign: '−', label: 'Proposed: remove this column', tone: 'text-bad' },
};

/** An editable column, or a proposed change with buttons to approve or decline it. */
export const ColumnRow = memo(function ColumnRow(props: ColumnRowProps) {
  const { call, proposal, stacked } = props;
  const look = proposal && proposal.kind in looks ? looks[proposal.kind as keyof typeof looks] : undefined;
  const cells = columnFields.map((field) => ({
    field,
    content: <Cell {...props} proposal={proposal} field={field} />,
  }));
  const sign = look && (
    <span className={classNames('block py-1 font-mono leading-5 font-semibold', look.tone)}>
      <span className="sr-only">{look.label}</span>
      <span aria-hidden>{look.sign}</span>
    </span>
  );
  const shared = {
    ...(call ? { 'data-card': call.id, tabIndex: -1 } : {}),
    className: classNames(look?.row ?? 'hover:bg-hover', 'focus-visible:-outline-offset-2'),
  };
  if (stacked) return <StackedRow {...props} cells={cells} sign={sign} shared={shared} />;
  const row = (
    <tr
      {...shared}
      aria-label={props.label}
      className={classNames(shared.className, props.problems && '[&>td]:border-b-0!')}
    >
      <td className="w-6 pl-2 text-center">{sign}</td>
      {cells.map(({ field, content }) => (
        <td key={field}>{content}</td>
      ))}
      <td className="text-right whitespace-nowrap">
        <RowActions {...props} />
      </td>
    </tr>
  );
  if (!props.problems) return row;
  return (
    <>
      {row}
      <tr>
        <td colSpan={columnFields.length + 2} className="pl-7.5!">
          <Problems {...props} />
        </td>
      </tr>
    </>
  );
});

const problemId = (columnId: string, field: ColumnField) => `problem-${columnId}-${field}`;

/** The problems of a column, field by field. */
function Problems({ column, problems }: ColumnRowProps) {
  if (!column || !problems) return null;
  return columnFields.map((field) => {
    const problem = problems[field];
    if (problem === undefined) return null;
    return (
      <p key={field} id={problemId(column.id, field)} className="px-1.5 pb-1 text-xs text-bad">
        {fieldLabels[field]}: {problem}
      </p>
    );
  });
}

interface StackedRowProps extends ColumnRowProps {
  cells: { field: ColumnField; content: ReactNode }[];
  sign: ReactNode;
  shared: { className: string };
}

function StackedRow({ cells, sign, shared, ...props }: StackedRowProps) {
  return (
    <li {...shared} aria-label={props.label} className={classNames(shared.className, 'border-b border-line p-2')}>
      <div className="flex items-center gap-2">
        {sign}
        <span className="min-w-0 flex-1">{cells[0]?.content}</span>
        <RowActions {...props} />
      </div>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-start">
        {cells.slice(1).map(({ field, content }) => (
          <div key={field} className="contents">
            <dt className="px-1.5 py-1.5 text-xs text-ink-soft">{fieldLabels[field]}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
      <Problems {...props} />
    </li>
  );
}

interface CellProps extends ColumnRowProps {
  proposal: SchemaProposal | undefined;
  field: ColumnField;
}

function Cell({ column, proposal, isFurther, field, problems, disabled, dispatch, onEdited }: CellProps) {
  const next = proposedColumn(proposal);
  if (proposal !== undefined && !(proposal.kind === 'edit' && column && next?.[field] === undefined)) {
    return <ProposedCell field={field} {...cellTexts(column, next, field)} />;
  }
  if (column === undefined) return null;
  if (isFurther) return null;
  return (
    <EditCell
      column={column}
      field={field}
      problemId={problems?.[field] === undefined ? undefined : problemId(column.id, field)}
      disabled={disabled}
      onChange={(patch) => dispatch({ type: 'columnChanged', id: column.id, patch })}
      onMove={(by) => {
        dispatch({ type: 'columnMoved', id: column.id, by });
        refocusCell(column.id, field);
      }}
      onDone={() => {
        // A different type allows different values.
        for (const checked of checkedFields) if (field === checked || field === 'type') onEdited(column, checked);
      }}
    />
  );
}

/** Focuses the moved cell again after its row has changed place. */
function refocusCell(columnId: string, field: ColumnField) {
  setTimeout(() => document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(columnId)} ${field}"]`)?.focus());
}

function proposedColumn(proposal: SchemaProposal | undefined): Partial<Column> | undefined {
  if (proposal?.kind === 'add') return proposal.column;
  return proposal?.kind === 'edit' ? proposal.updates : undefined;
}

function RowActions({ column, call, index, count, label, disabled, canRemove, dispatch }: ColumnRowProps) {
  if (disabled) return null;
  if (call) {
    const onDecide = (ids: string[], approved: boolean) => dispatch({ type: 'decided', ids, approved });
    return <ProposalActions call={call} label={label} onDecide={onDecide} />;
  }
  if (!column) return null;
  return (
    <ColumnMenu
      name={column.name}
      isFirst={index === 0}
      isLast={index === count - 1}
      canRemove={canRemove}
      onMove={(by) => dispatch({ type: 'columnMoved', id: column.id, by })}
      onRemove={() => dispatch({ type: 'columnRemoved', id: column.id })}
    />
  );
}

interface ColumnMenuProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  canRemove: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function ColumnMenu({ name, isFirst, isLast, canRemove, onMove, onRemove }: ColumnMenuProps) {
  return (
    <ActionsMenu of={name === '' ? 'the new column' : name}>
      <MenuItem disabled={isFirst} onSelect={() => onMove(-1)}>
        <ArrowUp aria-hidden /> Move up
      </MenuItem>
      <MenuItem disabled={isLast} onSelect={() => onMove(1)}>
        <ArrowDown aria-hidden /> Move down
      </MenuItem>
      <MenuLine />
      <MenuItem danger disabled={!canRemove} onSelect={onRemove}>
        <Trash2 aria-hidden /> Remove
      </MenuItem>
    </ActionsMenu>
  );
}
