import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';

export interface TableColumn<Item> {
  label: string;
  /** Only for screen readers: the column explains itself visually. */
  labelHidden?: boolean;
  /** Hidden in narrow windows. */
  wideOnly?: boolean;
  className?: string;
  render: (item: Item) => ReactNode;
}

interface DataTableProps<Item> {
  label: string;
  columns: TableColumn<Item>[];
  /** Undefined while loading: placeholder rows of the same height are shown. */
  items: Item[] | undefined;
  keyOf: (item: Item) => string;
}

/** Classes of a link in a row's first cell that make the whole row clickable. */
export const rowLinkClass =
  'block min-w-0 truncate rounded-sm text-base font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';

export function DataTable<Item>({ label, columns, items, keyOf }: DataTableProps<Item>) {
  const cellClass = (column: TableColumn<Item>) =>
    classNames('px-3 py-1.5 align-middle', column.wideOnly && 'hidden md:table-cell', column.className);
  return (
    <table
      aria-label={label}
      aria-busy={items === undefined}
      className="w-full table-fixed border-separate border-spacing-0 text-sm [&_tbody>tr:last-child>td]:border-b-0"
    >
      <thead>
        <tr className="h-8 text-left text-xs [&>th]:border-b [&>th]:border-line [&>th]:font-medium [&>th]:text-ink-faint">
          {columns.map((column) => (
            <th key={column.label} scope="col" className={cellClass(column)}>
              {column.labelHidden === true ? <span className="sr-only">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items === undefined
          ? Array.from({ length: 5 }, (_, index) => (
              <tr key={index} className="h-11 [&>td]:border-b [&>td]:border-line">
                {columns.map((column) => (
                  <td key={column.label} className={cellClass(column)}>
                    {column.labelHidden !== true && <Skeleton className="h-4 w-3/5" />}
                  </td>
                ))}
              </tr>
            ))
          : items.map((item) => (
              <tr
                key={keyOf(item)}
                onKeyDown={moveBetweenRows}
                className="relative h-11 transition-colors hover:bg-hover [&>td]:border-b [&>td]:border-line"
              >
                {columns.map((column) => (
                  <td key={column.label} className={cellClass(column)}>
                    {column.render(item)}
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </table>
  );
}

/** Arrow keys move the focus between the links of neighbouring rows. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableRowElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(event.target instanceof HTMLAnchorElement)) return;
  const row = step > 0 ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling;
  const link = row?.querySelector('a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}
