import type { ResultRow } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { cellText, fieldPath, type ShownColumn } from './result-columns.ts';
import { rowHeight } from './use-window.ts';

interface GridRowProps {
  index: number;
  /** Undefined while it loads. */
  row: ResultRow | undefined;
  columns: ShownColumn[];
  table: string | undefined;
  /** The column of the cell that takes part in Tab, if it is in this row. */
  tabColumn: number | undefined;
}

const cellClass = 'border-b border-line p-0';
const linkClass = 'flex h-full items-center px-3 focus-visible:-outline-offset-2';

/** A row, whose cells lead to their values in the document. Rendered once: scrolling adds and removes rows. */
export const GridRow = memo(function GridRow({ index, row, columns, table, tabColumn }: GridRowProps) {
  const place = (column: number) => ({
    'data-place': `${index} ${column}`,
    tabIndex: tabColumn === column ? 0 : -1,
  });
  const shared = { 'aria-rowindex': index + 2, style: { height: rowHeight } };
  const first = classNames(cellClass, 'sticky left-0 z-[5] border-r bg-surface group-hover:bg-hover');
  if (row === undefined) {
    return (
      <tr {...shared} className="group">
        <td className={first}>
          <span {...place(0)} className={linkClass}>
            <Skeleton className="h-3.5 w-3/5" />
            <span className="sr-only">Loading</span>
          </span>
        </td>
        {Array.from({ length: columns.length + 1 }, (_, at) => (
          <td key={at} className={cellClass}>
            <Skeleton className="mx-3 h-3.5 w-1/2" />
          </td>
        ))}
      </tr>
    );
  }
  const document = { to: '/documents/$documentId', params: { documentId: row.document_id } } as const;
  const search = { tab: 'extraction', prompt: row.prompt_revid } as const;
  return (
    <tr {...shared} className="group hover:bg-hover">
      <td className={first}>
        <Link {...document} search={search} {...place(0)} title={row.document_name} className={linkClass}>
          <span className="truncate font-medium">{row.document_name}</span>
        </Link>
      </td>
      <td className={cellClass}>
        <Link {...document} search={search} {...place(1)} className={linkClass}>
          <RowState row={row} />
        </Link>
      </td>
      {columns.map((column, at) => {
        const value = row.fields[column.path];
        const text = cellText(value, column);
        const field = fieldPath(column.path, table, row.item);
        return (
          <td key={column.path} className={cellClass}>
            <Link
              {...document}
              search={field === undefined ? search : { ...search, field }}
              {...place(at + 2)}
              {...(text.length > 20 && { title: text })}
              className={classNames(linkClass, column.kind === 'number' && 'justify-end tabular-nums')}
            >
              {text === '' ? <span className="text-ink-faint">–</span> : <span className="truncate">{text}</span>}
            </Link>
          </td>
        );
      })}
    </tr>
  );
});

function RowState({ row: { release, is_verified, is_complete } }: { row: ResultRow }) {
  if (release === 'withdrawn') return <StateMark label="Withdrawn" tone="warn" />;
  if (is_complete === false) return <StateMark label="Incomplete" tone="warn" />;
  if (release === 'released') return <StateMark label="Released" tone="good" />;
  return is_verified ? <StateMark label="Verified" tone="good" /> : <StateMark label="Open" tone="neutral" />;
}
