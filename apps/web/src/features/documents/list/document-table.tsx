import type { Document } from '@docwright/contract';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { ChooseBox } from './choose-box.tsx';
import { cell, DocumentRow, PlaceholderRow, wide } from './document-row.tsx';
import type { SortKey, sortOf } from '../../../shared/addresses/document-search.ts';

interface DocumentTableProps {
  documents: Document[] | undefined;
  sort: ReturnType<typeof sortOf>;
  onSort: (key: SortKey) => void;
  chosen: ReadonlyMap<string, Document>;
  /** With `range`, everything from the last selected document on. */
  onChoose: (document: Document, range: boolean) => void;
  onChooseAll: (all: boolean) => void;
}

/** A page of the list; while it loads, empty rows of the same height take its place. */
export function DocumentTable({ documents, sort, onSort, chosen, onChoose, onChooseAll }: DocumentTableProps) {
  const count = documents?.filter(({ id }) => chosen.has(id)).length ?? 0;
  const all = count > 0 && count === documents?.length;

  /** X selects the focused row; the arrows go from row to row, and with Shift they select on the way. */
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, rows: Document[], index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!(event.target instanceof HTMLAnchorElement || event.target instanceof HTMLInputElement)) return;
    const { key, shiftKey, currentTarget } = event;
    const present = rows[index];
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const next = rows[index + step];
    if (key.toLowerCase() === 'x' && present) onChoose(present, shiftKey);
    else if (step !== 0 && present && next) {
      if (shiftKey) {
        onChoose(present, true);
        onChoose(next, true);
      }
      const row = step > 0 ? currentTarget.nextElementSibling : currentTarget.previousElementSibling;
      row?.querySelector('a')?.focus();
    } else return;
    event.preventDefault();
  };
  const table = useRef<HTMLTableElement>(null);
  // From anywhere on the page: there are two dozen controls before the first row.
  useWindowKey((event) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key !== 'ArrowDown' || ctrlKey || metaKey || altKey || shiftKey) return;
    if (target !== document.body && !(target instanceof Element && target.id === 'content')) return;
    const first = table.current?.querySelector<HTMLElement>('tbody a');
    first?.focus();
    if (first) event.preventDefault();
  });
  return (
    <table ref={table} aria-label="Documents" className="w-full table-fixed border-separate border-spacing-0 text-sm">
      <thead>
        <tr className="h-8 text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:font-medium">
          <th className="w-11 max-md:w-10">
            <ChooseBox
              label={all ? 'Clear selection on this page' : 'Select all on this page'}
              checked={all}
              partly={count > 0 && !all}
              onChoose={() => onChooseAll(!all)}
            />
          </th>
          <SortableHead {...{ sort, onSort }} by="document_name" className={`${cell} pl-0`}>
            Name
          </SortableHead>
          <th className={`${cell} ${wide} w-36`}>State</th>
          <th className={`${cell} ${wide} w-52`}>Tags</th>
          <th className={`${cell} ${wide} w-16 text-right`}>Pages</th>
          <SortableHead {...{ sort, onSort }} by="size_bytes" className={`${cell} ${wide} w-20 text-right`}>
            Size
          </SortableHead>
          <SortableHead {...{ sort, onSort }} by="upload_date" className={`${cell} ${wide} w-32`}>
            Uploaded
          </SortableHead>
          <th className="w-11">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents === undefined
          ? Array.from({ length: 6 }, (_, index) => <PlaceholderRow key={index} />)
          : documents.map((document, index) => (
              <DocumentRow
                key={document.id}
                document={document}
                chosen={chosen.has(document.id)}
                onChoose={(range) => onChoose(document, range)}
                onKeyDown={(event) => onKeyDown(event, documents, index)}
              />
            ))}
      </tbody>
    </table>
  );
}

interface SortableHeadProps {
  by: SortKey;
  sort: ReturnType<typeof sortOf>;
  onSort: (key: SortKey) => void;
  className: string;
  children: ReactNode;
}

/** A heading that sorts by its column; a second click reverses the order. */
function SortableHead({ by, sort, onSort, className, children }: SortableHeadProps) {
  const active = sort.sort === by;
  const Arrow = sort.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort(by)}
        className="inline-flex h-7 items-center gap-1 rounded-sm hover:text-ink"
      >
        {children}
        {active && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
