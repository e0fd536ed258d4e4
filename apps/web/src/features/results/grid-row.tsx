import type { ResultRow } from '@docwright/contract';
import { memo } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { cellText, fieldPath, type ShownColumn } from './columns/result-columns.ts';
import { rowHeight } from './use-rows.ts';

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
/** As high as the row without its line. */
const linkClass = 'block h-[35px] truncate px-3 leading-[35px] focus-visible:-outline-offset-2';

/**
 * A row, whose cells lead to their values in the document. Rendered once: scrolling adds and removes rows. Its links are
 * plain ones, because hundreds of the router's own take too long; the grid follows them.
 */
export const GridRow = memo(function GridRow({ index, row, columns, table, tabColumn }: GridRowProps) {
  const place = (column: number) => ({
    'data-place': `${index} ${column}`,
    tabIndex: tabColumn === column ? 0 : -1,
  });
  const shared = { 'aria-rowindex': index + 2, style: { height: rowHeight } };
  const first = classNames(cellClass, 'sticky left-0 z-[5] border-r bg-surface group-hover:bg-hover');
  if (row === undefined) {
    // One still bar: hundreds of pulsing ones cost more than the rows.
    return (
      <tr {...shared} className="group">
        <td className={first}>
          <span {...place(0)} className={linkClass}>
            <span className="inline-block h-3.5 w-3/5 rounded-sm bg-sunken align-middle" />
            <span className="sr-only">Loading</span>
          </span>
        </td>
        <td aria-hidden colSpan={columns.length + 1} className={cellClass} />
      </tr>
    );
  }
  const state = stateOf(row);
  const address = `/documents/${row.document_id}?tab=extraction&prompt=${row.prompt_revid}`;
  return (
    <tr {...shared} className="group hover:bg-hover">
      <td className={first}>
        <a href={address} {...place(0)} title={row.document_name} className={`${linkClass} font-medium`}>
          {row.document_name}
        </a>
      </td>
      <td className={cellClass}>
        <a href={address} {...place(1)} className={`${linkClass} ${state.look}`}>
          {state.label}
        </a>
      </td>
      {columns.map((column, at) => {
        const value = row.fields[column.path];
        const text = cellText(value, column);
        const field = fieldPath(column.path, table, row.item);
        return (
          <td key={column.path} className={cellClass}>
            <a
              href={field === undefined ? address : `${address}&field=${encodeURIComponent(field)}`}
              {...place(at + 2)}
              {...(text.length > 20 && { title: text })}
              className={classNames(
                linkClass,
                column.kind === 'number' && 'text-right tabular-nums',
                text === '' && 'text-ink-faint',
              )}
            >
              {text === '' ? '–' : text}
            </a>
          </td>
        );
      })}
    </tr>
  );
});

const warning = 'text-warn';
const good = 'text-good';

/** The one most telling state of a result. */
function stateOf({ release, is_verified, is_complete, to_check = 0 }: ResultRow): { label: string; look: string } {
  if (release === 'withdrawn') return { label: 'Withdrawn', look: warning };
  if (is_complete === false) return { label: 'Incomplete', look: warning };
  if (to_check > 0) return { label: `${to_check} to check`, look: warning };
  if (release === 'released') return { label: 'Released', look: good };
  return is_verified ? { label: 'Verified', look: good } : { label: 'Open', look: 'text-ink-soft' };
}
