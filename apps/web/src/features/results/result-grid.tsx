import { useRouter } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { GridRow } from './grid-row.tsx';
import type { ShownColumn } from './columns/result-columns.ts';
import { rowHeight, useRows, useWindow } from './use-rows.ts';

/** The columns in front of those of the result. */
const frontColumns = [
  { path: 'document_name', label: 'Document' },
  { path: 'release', label: 'State' },
] as const;

interface ResultGridProps {
  label: string;
  source: Parameters<typeof useRows>[0];
  /** Whether the rows belong to the query before. */
  isStale: boolean;
  columns: ShownColumn[];
  table: string | undefined;
  sort: string | undefined;
  onSort: (path: string) => void;
}

/** The header is row -1. */
interface Place {
  row: number;
  column: number;
}

/** Fixed, so that no column changes its width while other rows scroll into view. */
const widths: Record<ShownColumn['kind'], number> = { text: 192, number: 128, boolean: 96, date: 128, moment: 128 };
const frontWidths = [208, 120];

/** The results as a grid of which only the visible rows are rendered. One place of it takes part in Tab; arrow keys move it. */
export function ResultGrid({ label, source, isStale, columns, table, sort, onSort }: ResultGridProps) {
  const total = source.head.total_count;
  const view = useWindow(total);
  const rows = useRows(source, view);
  const router = useRouter();
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 });
  /** Set by a key: the cell takes the focus as soon as it is rendered. */
  const wanted = useRef<Place>(undefined);
  const lastColumn = columns.length + frontColumns.length - 1;
  const { box, start, end, shown } = view;
  const isRendered = place.row < 0 || (place.row >= start && place.row < end);
  // Tab always leads to a cell: to the first visible one if the last focused one was scrolled away.
  const tab: Place = {
    row: isRendered ? place.row : view.firstVisible,
    column: Math.min(place.column, lastColumn),
  };

  useEffect(() => {
    const target = wanted.current;
    if (target === undefined) return;
    const cell = box.current?.querySelector<HTMLElement>(`[data-place="${target.row} ${target.column}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const move = (next: Place) => {
    const target = {
      row: Math.max(-1, Math.min(next.row, shown - 1)),
      column: Math.max(0, Math.min(next.column, lastColumn)),
    };
    wanted.current = target;
    setPlace(target);
    const element = box.current;
    if (element === null || target.row < 0) return;
    const top = target.row * rowHeight;
    const room = element.clientHeight - 2 * rowHeight;
    if (top < element.scrollTop) element.scrollTo({ top });
    else if (top > element.scrollTop + room) element.scrollTo({ top: top - room });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    const focused = event.target instanceof HTMLElement ? event.target.dataset['place'] : undefined;
    if (focused === undefined) return;
    // Keys can come faster than the focus: the next one starts where the last one leads.
    const [row = 0, column = 0] = wanted.current
      ? [wanted.current.row, wanted.current.column]
      : focused.split(' ').map(Number);
    const far = event.ctrlKey;
    const targets: Record<string, Place | undefined> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: Math.max(row, 0) + view.pageRows, column },
      PageUp: { row: Math.max(row - view.pageRows, 0), column },
      Home: { row: far ? 0 : row, column: 0 },
      End: { row: far ? shown - 1 : row, column: lastColumn },
    };
    const target = targets[event.key];
    // Ctrl and an arrow belong to the browser or to another page.
    if (target === undefined || (far && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    move(target);
  };

  /** Shows the document within the app; a click with a modifier opens a tab of its own. */
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const href = event.target instanceof Element && event.target.closest('tbody a')?.getAttribute('href');
    if (typeof href !== 'string') return;
    event.preventDefault();
    router.history.push(href);
  };

  const onFocus = ({ target }: { target: EventTarget }) => {
    const focused = target instanceof HTMLElement ? target.dataset['place'] : undefined;
    const [row, column] = (focused ?? '').split(' ').map(Number);
    if (row === undefined || column === undefined || (row === place.row && column === place.column)) return;
    setPlace({ row, column });
  };

  // Another query starts at its first row.
  const query = JSON.stringify(source.request);
  const shownQuery = useRef(query);
  useEffect(() => {
    if (shownQuery.current === query) return;
    shownQuery.current = query;
    box.current?.scrollTo({ top: 0 });
  }, [box, query]);

  const heads = [...frontColumns.map((column) => ({ ...column, kind: 'text' as const })), ...columns];
  const width = heads.reduce((sum, { kind }, at) => sum + (frontWidths[at] ?? widths[kind]), 0);
  return (
    <>
      {rows.error !== null && <RetryNotice error={rows.error} retry={rows.retry} />}
      <div
        ref={box}
        onScroll={view.onScroll}
        className="relative min-h-0 flex-1 overflow-auto rounded-lg border border-line bg-surface max-md:min-h-[24rem]"
      >
        <div role="presentation" onKeyDown={onKeyDown} onClick={onClick} onFocus={onFocus}>
          <table
            aria-label={label}
            aria-rowcount={total + 1}
            aria-colcount={heads.length}
            aria-busy={isStale}
            className={classNames('table-fixed border-separate border-spacing-0 text-sm', isStale && 'opacity-60')}
            style={{ width: `max(100%, ${width}px)` }}
          >
            <colgroup>
              {heads.map(({ path, kind }, at) => (
                <col key={`${at} ${path}`} style={{ width: frontWidths[at] ?? widths[kind] }} />
              ))}
            </colgroup>
            <thead>
              <tr aria-rowindex={1} style={{ height: rowHeight }}>
                {heads.map(({ path, label: name, kind }, column) => (
                  <HeadCell
                    key={`${column} ${path}`}
                    path={path}
                    name={name}
                    isFirst={column === 0}
                    isNumber={kind === 'number'}
                    sort={sort}
                    place={`-1 ${column}`}
                    isTab={tab.row === -1 && tab.column === column}
                    onSort={onSort}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {start > 0 && <Gap rows={start} columns={heads.length} />}
              {Array.from({ length: Math.max(end - start, 0) }, (_, at) => start + at).map((index) => (
                <GridRow
                  key={index}
                  index={index}
                  row={rows.row(index)}
                  columns={columns}
                  table={table}
                  tabColumn={tab.row === index ? tab.column : undefined}
                />
              ))}
              {end < shown && <Gap rows={shown - end} columns={heads.length} />}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}

/** Stands for the rows that are not rendered. */
function Gap({ rows, columns }: { rows: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height: rows * rowHeight }}>
      <td aria-hidden colSpan={columns} />
    </tr>
  );
}

interface HeadCellProps {
  path: string;
  name: string;
  isFirst: boolean;
  isNumber: boolean;
  sort: string | undefined;
  place: string;
  isTab: boolean;
  onSort: (path: string) => void;
}

function HeadCell({ path, name, isFirst, isNumber, sort, place, isTab, onSort }: HeadCellProps) {
  const order = sort === path ? 'ascending' : sort === `-${path}` ? 'descending' : 'none';
  const Arrow = order === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={order}
      className={classNames(
        'sticky top-0 border-b border-line bg-surface p-0 text-xs font-medium text-ink-faint',
        isFirst ? 'left-0 z-20 border-r' : 'z-10',
      )}
    >
      <button
        type="button"
        title={`Sort by ${name}`}
        data-place={place}
        tabIndex={isTab ? 0 : -1}
        onClick={() => onSort(path)}
        className={classNames(
          'flex h-full w-full min-w-0 items-center gap-1 px-3 focus-visible:-outline-offset-2 hover:text-ink',
          isNumber && 'flex-row-reverse',
        )}
      >
        <span className="min-w-0 truncate">{name}</span>
        {order !== 'none' && <Arrow aria-hidden className="size-3.5 shrink-0 text-accent" />}
      </button>
    </th>
  );
}
