import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { editableValue, formatValue, parseValue } from '../../shared/values/field-value.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import { pathLabel } from '../../shared/values/review-labels.ts';
import { readPicked } from './picked-value.ts';
import { DraftCell, widthOf } from './draft-cell.tsx';
import {
  changedValues,
  isChanged,
  listOf,
  tableDraft,
  withCell,
  withKept,
  withRow,
  withoutRow,
} from './table-draft.ts';
import { counted } from '../../shared/formats/counted.ts';
import { readStored, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { focusOnMount } from '../../shared/ui/browser/focus-on-mount.ts';

/** The place of a cell. */
interface CellPlace {
  row: number;
  column: number;
}

interface TableEditorProps {
  /** The key in the browser of changed rows, of this version of the result. */
  keptAs: string;
  path: string;
  list: unknown;
  schema: JsonSchema | undefined;
  /** The path of the value that was current when the table was opened. */
  from: string;
  /** Text taken from the page for the focused cell. Taking the same text again has another ordinal. */
  picked: { text: string; pageText: string; ordinal: number } | undefined;
  /** The rows are being sent: nothing can be typed, since the table closes when they are saved. */
  isSaving: boolean;
  /** Receives the path of the focused value, whose place is highlighted; undefined for a value of a new row. */
  onFocusValue: (path: string | undefined) => void;
  onSave: (list: unknown, changedValues: number) => void;
  onClose: () => void;
  /** Whether closing the table would lose what was typed. */
  onTyped: (isTyped: boolean) => void;
}

/** Edits all rows of a list as in a spreadsheet: one tab stop, and the arrow keys go from cell to cell. */
export function TableEditor(props: TableEditorProps) {
  const { keptAs, path, list, schema, from, picked, isSaving, onFocusValue, onSave, onClose, onTyped } = props;
  const [draft, setDraft] = useState(() => withKept(tableDraft(list, schema), readStored(keptAs)));
  const [cell, setCell] = useState<CellPlace>(() => placeOf(from, path, draft.columns));
  /** The text typed into the cell; undefined while it is not edited. */
  const [text, setText] = useState<string>();
  /** Typing has replaced the cell: left and right go to the next cell instead of moving the cursor. */
  const [isReplacing, setReplacing] = useState(false);
  const [asking, setAsking] = useState(false);
  const { columns, rows } = draft;
  const column = columns[cell.column];
  const row = rows[cell.row];
  const parsed = text === undefined || !column ? undefined : parseValue(text, column.shape);
  const changed = text !== undefined || isChanged(draft, list);
  useEffect(() => {
    onTyped(changed);
    return () => onTyped(false);
  }, [changed, onTyped]);

  useEffect(
    () => writeStored(keptAs, isChanged(draft, list) ? JSON.stringify(draft.rows) : null),
    [keptAs, draft, list],
  );
  // Closing it in any way removes them, which a reload of the page does not.
  useEffect(() => () => writeStored(keptAs, null), [keptAs]);

  const origin = row?.origin;
  const key = column?.key;
  const focused = origin === undefined || key === undefined ? undefined : `${path}.${origin}.${key}`;
  useEffect(() => onFocusValue(focused), [focused, onFocusValue]);
  const [insertedOrdinal, setInsertedOrdinal] = useState(picked?.ordinal);
  if (!isSaving && picked !== undefined && picked.ordinal !== insertedOrdinal) {
    setInsertedOrdinal(picked.ordinal);
    if (column) setText(readPicked(picked.text, column.shape, picked.pageText));
  }

  /** Returns false if the typed text is not valid for the column. */
  const commit = (): boolean => {
    if (text === undefined) return true;
    if (!parsed?.ok || !column) return false;
    setDraft(withCell(draft, cell.row, column.key, parsed.value));
    setText(undefined);
    return true;
  };
  const moveTo = (place: CellPlace) => {
    if (isSaving) return;
    setAsking(false);
    if (!commit()) return;
    const clamp = (index: number, count: number) => Math.max(0, Math.min(count - 1, index));
    setCell({ row: clamp(place.row, rows.length), column: clamp(place.column, columns.length) });
  };
  const insertRow = () => {
    if (isSaving || !commit()) return;
    const at = rows.length === 0 ? 0 : cell.row + 1;
    setDraft((now) => withRow(now, at));
    setCell({ row: at, column: 0 });
  };
  const deleteRow = () => {
    if (isSaving || row === undefined) return;
    setText(undefined);
    setDraft(withoutRow(draft, cell.row));
    setCell({ ...cell, row: Math.max(0, Math.min(cell.row, rows.length - 2)) });
  };
  const save = () => {
    if (isSaving || (text !== undefined && (!parsed?.ok || !column))) return;
    const saved =
      text !== undefined && parsed?.ok && column ? withCell(draft, cell.row, column.key, parsed.value) : draft;
    if (isChanged(saved, list)) onSave(listOf(saved), changedValues(saved, list));
    else onClose();
  };
  const close = () => {
    if (isSaving) return;
    if (changed && !asking) setAsking(true);
    else onClose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const isControl = event.ctrlKey || event.metaKey;
    const isTyping = text !== undefined;
    const steps: Record<string, CellPlace> = {
      ArrowUp: { row: cell.row - 1, column: cell.column },
      ArrowDown: { row: cell.row + 1, column: cell.column },
      ...((!isTyping || isReplacing) && {
        ArrowLeft: { row: cell.row, column: cell.column - 1 },
        ArrowRight: { row: cell.row, column: cell.column + 1 },
      }),
      ...(!isTyping && {
        Home: { row: cell.row, column: 0 },
        End: { row: cell.row, column: columns.length - 1 },
      }),
      ...(isTyping && { Tab: { row: cell.row, column: cell.column + (event.shiftKey ? -1 : 1) } }),
    };
    const action = ((): (() => void) | undefined => {
      if (isControl && event.key === 'Enter') return insertRow;
      if (isControl && (event.key === 'Delete' || event.key === 'Backspace')) return deleteRow;
      if (isControl && event.key.toLowerCase() === 's') return save;
      if (event.key === 'Escape') return isTyping ? () => setText(undefined) : close;
      // The buttons below handle their own keys.
      if (isControl || event.altKey || (event.target as Element).closest('footer')) return undefined;
      if (event.key === 'Insert') return insertRow;
      const step = steps[event.key];
      if (step) return () => moveTo(step);
      if (event.key === 'Enter') return isTyping ? () => moveTo({ ...cell, row: cell.row + 1 }) : startTyping;
      if (event.key === 'F2') return startTyping;
      if (isTyping || row === undefined) return undefined;
      if (event.key === 'Delete' || event.key === 'Backspace') return () => replace('');
      // As in a spreadsheet, typing replaces the cell.
      return event.key.length === 1 ? () => replace(event.key) : undefined;
    })();
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isSaving) action();
  };
  const replace = (first: string) => {
    setReplacing(true);
    setText(first);
  };
  const startTyping = () => {
    setReplacing(false);
    if (!isSaving && row && column) setText(editableValue(row.cells[column.key] ?? null));
  };

  return (
    <div role="presentation" onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <p className="flex items-baseline gap-2 border-b border-line bg-sunken px-3 py-1 text-sm">
        <strong className="font-semibold">{pathLabel(path)}</strong>
        <span className="text-ink-soft">{counted(rows.length, 'row')}</span>
      </p>
      <div className="min-h-0 flex-1 overflow-auto">
        <table aria-label={pathLabel(path)} className="min-w-full border-separate border-spacing-0 text-sm">
          <thead className="sticky top-0 z-10 bg-canvas text-xs text-ink-soft">
            <tr>
              {columns.map(({ key: name, label, shape }) => (
                <th
                  key={name}
                  className={classNames('border-b border-line px-2 py-1.5 text-left font-medium', widthOf(shape.type))}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, cells }, rowIndex) => (
              <tr key={id} className={classNames('align-top', rowIndex === cell.row && 'bg-accent-soft')}>
                {columns.map(({ key: name, label, shape }, columnIndex) => {
                  const isActive = rowIndex === cell.row && columnIndex === cell.column;
                  const shown = formatValue({ value: cells[name] ?? null, shape, path: name });
                  return (
                    <DraftCell
                      key={name}
                      label={label}
                      type={shape.type}
                      shown={shown}
                      isActive={isActive}
                      text={isActive ? text : undefined}
                      isReadOnly={isSaving}
                      isValid={parsed?.ok !== false}
                      onText={setText}
                      onChoose={() => moveTo({ row: rowIndex, column: columnIndex })}
                      onEdit={startTyping}
                    />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p role="alert" className="min-h-7 px-3 py-1 text-sm text-bad">
        {parsed?.ok === false && parsed.message}
        {asking && 'Your changes are not saved. Press Esc again to discard them.'}
      </p>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
        <Button
          ref={rows.length === 0 ? focusOnMount : undefined}
          size="small"
          onClick={insertRow}
          aria-disabled={isSaving}
        >
          <Plus aria-hidden className="size-4" />
          Insert row <KeyCap name="Ctrl Enter" />
        </Button>
        <Button size="small" onClick={deleteRow} disabled={row === undefined} aria-disabled={isSaving}>
          <Trash2 aria-hidden className="size-4" />
          Delete row <KeyCap name="Ctrl Del" />
        </Button>
        <span className="ml-auto flex gap-2">
          <Button size="small" look="quiet" onClick={close} aria-disabled={isSaving}>
            Cancel <KeyCap name="Esc" />
          </Button>
          <Button size="small" look="primary" onClick={save} disabled={parsed?.ok === false} aria-disabled={isSaving}>
            {isSaving ? 'Saving…' : 'Save'} <KeyCap name="Ctrl S" />
          </Button>
        </span>
      </footer>
    </div>
  );
}

/** The cell of a path: `line_items.2.amount` in the table `line_items` is in its third row. */
function placeOf(value: string, table: string, columns: readonly { key: string }[]): CellPlace {
  const [row, key] = value === table ? [] : value.slice(table.length + 1).split('.');
  return {
    row: Math.max(0, Number(row ?? 0)),
    column: Math.max(
      0,
      columns.findIndex((each) => each.key === key),
    ),
  };
}
