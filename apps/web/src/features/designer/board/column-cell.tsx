import type { Column, ColumnType } from '@docwright/contract';
import { classNames } from '../../../shared/ui/class-names.ts';
import { columnTypes, fieldLabels, fieldText, emptyColumn, type ColumnField } from '../state/column-labels.ts';

const box =
  'w-full min-w-0 rounded-sm border border-transparent bg-transparent px-1.5 py-1 text-sm leading-5 placeholder:text-ink-faint hover:border-line-strong focus:border-line-strong focus:bg-raised aria-invalid:border-bad disabled:hover:border-transparent';

const placeholders: Record<ColumnField, string> = {
  name: 'Name',
  type: '',
  description: 'What to look for, and where',
  allowedValues: 'Any',
  regex: 'Any',
};

interface EditCellProps {
  column: Column;
  field: ColumnField;
  /** Id of the error message below the row. */
  problemId: string | undefined;
  disabled: boolean;
  onChange: (patch: Partial<Column>) => void;
  onMove: (by: -1 | 1) => void;
  /** Called when the field loses the focus. */
  onDone: () => void;
}

/** An editable field of a column. */
export function EditCell({ column, field, problemId, disabled, onChange, onMove, onDone }: EditCellProps) {
  const columnName = column.name.trim() === '' ? 'new column' : column.name;
  const shared = {
    'aria-label': `${fieldLabels[field]} of ${columnName}`,
    'aria-invalid': problemId !== undefined,
    'aria-describedby': problemId,
    'data-cell': `${column.id} ${field}`,
    disabled,
    onBlur: onDone,
  };
  return (
    <>
      {field === 'type' ? (
        <select
          {...shared}
          value={column.type}
          onChange={(event) => onChange({ type: event.target.value as ColumnType })}
          className={classNames(box, '-ml-1 h-7.5 px-0')}
        >
          {columnTypes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <textarea
          {...shared}
          rows={1}
          value={column[field]}
          maxLength={maxCharacters[field]}
          placeholder={disabled ? '' : placeholders[field]}
          spellCheck={field === 'description'}
          onChange={(event) => onChange({ [field]: oneLine(event.target.value, field) })}
          onKeyDown={(event) => {
            // Only descriptions have several lines.
            if (event.key === 'Enter' && field !== 'description') event.preventDefault();
            const by = event.altKey ? moves[event.key] : undefined;
            if (by === undefined) return;
            event.preventDefault();
            onMove(by);
          }}
          className={classNames(
            box,
            'block resize-none overflow-hidden [field-sizing:content]',
            field === 'name' && 'font-medium',
            field === 'regex' && 'font-mono text-xs',
          )}
        />
      )}
    </>
  );
}

const moves: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 };
const maxCharacters = { name: 100, description: 4000, allowedValues: 10_000, regex: 1000 };
const oneLine = (text: string, field: ColumnField) =>
  field === 'description' ? text : text.replace(/\s*[\r\n]+\s*/g, ' ');

interface ProposedCellProps {
  field: ColumnField;
  /** The current value; undefined for a proposed column. */
  before: string | undefined;
  /** The proposed value; undefined if the column would be removed. */
  after: string | undefined;
}

/** The current and the proposed value of a field. */
export function ProposedCell({ field, before, after }: ProposedCellProps) {
  const look = classNames(field === 'regex' && 'font-mono text-xs', field === 'name' && 'font-medium');
  if (before === after || before === undefined) return <Text className={look}>{after ?? ''}</Text>;
  if (after === undefined) {
    return before === '' ? null : (
      <Text className={classNames(look, 'text-ink-soft')}>
        <del>{before}</del>
      </Text>
    );
  }
  return (
    <Text className={look}>
      {before !== '' && (
        <del className="mr-1 inline-block max-w-full rounded-sm bg-bad-soft px-1 text-ink-soft">{before}</del>
      )}
      {after === '' ? (
        <span className="inline-block font-sans text-xs whitespace-nowrap text-ink-soft">emptied</span>
      ) : (
        <ins className="inline-block max-w-full rounded-sm bg-good-soft px-1 no-underline outline-1 -outline-offset-1 outline-good">
          {after}
        </ins>
      )}
    </Text>
  );
}

function Text({ className, children }: { className: string; children: React.ReactNode }) {
  return (
    <div
      className={classNames(
        'border border-transparent px-1.5 py-1 text-sm leading-5 whitespace-pre-wrap wrap-anywhere',
        className,
      )}
    >
      {children}
    </div>
  );
}

/** The current and the proposed value of a field in a proposed row. */
export function cellTexts(column: Column | undefined, next: Partial<Column> | undefined, field: ColumnField) {
  const before = column && fieldText(column, field);
  if (next === undefined) return { before, after: undefined };
  const after = next[field] === undefined ? before : fieldText({ ...emptyColumn, ...next }, field);
  return { before, after };
}
