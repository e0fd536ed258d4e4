import { pageUnit, type AutoCreateStatus, type Document } from '@docwright/contract';
import { counted } from '../../../shared/formats/counted.ts';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, FileX, History, Sparkles } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { Tip } from '../../../shared/ui/tip.tsx';
import { DocumentIcon } from '../../../shared/labels/document-icon.tsx';
import { DocumentMenu } from '../document-menu.tsx';
import { DocumentStateBadge } from '../../../shared/labels/document-state-badge.tsx';
import type { SortKey, sortOf } from '../../../shared/addresses/document-search.ts';
import { formatMoment, formatSize } from '../../../shared/formats/format-document.ts';
import { TagChips } from '../../../shared/labels/tag-chips.tsx';

const cell = 'px-3 py-0 align-middle';
const wide = 'hidden md:table-cell';

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

interface DocumentRowProps {
  document: Document;
  chosen: boolean;
  onChoose: (range: boolean) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => void;
}

function DocumentRow({ document, chosen, onChoose, onKeyDown }: DocumentRowProps) {
  return (
    <tr
      onKeyDown={onKeyDown}
      className={classNames(
        'relative h-11 transition-colors hover:bg-hover [&>td]:border-b [&>td]:border-line',
        chosen && 'bg-accent-soft',
      )}
    >
      <td className="relative z-1">
        <ChooseBox label={`Select ${document.document_name}`} checked={chosen} onChoose={onChoose} />
      </td>
      <td className={`${cell} pl-0`}>
        <span className="flex items-center gap-2">
          <DocumentIcon mimeType={document.mime_type} />
          <Link
            to="/documents/$documentId"
            params={{ documentId: document.id }}
            title={document.document_name}
            className="min-w-0 truncate rounded-sm text-base font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {document.document_name}
          </Link>
        </span>
        <span className="mb-1 ml-6 flex items-center gap-2 text-xs md:hidden [&_button]:relative">
          <DocumentStateBadge document={document} />
        </span>
      </td>
      <td className={`${cell} ${wide} [&_button]:relative`}>
        <span className="flex items-center gap-2">
          <DocumentStateBadge document={document} />
          {document.auto_create && <ProposalMark document={document} status={document.auto_create.status} />}
          <VersionMark document={document} />
        </span>
      </td>
      <td className={`${cell} ${wide}`}>
        <TagChips tagIds={document.tag_ids} />
      </td>
      <td
        className={`${cell} ${wide} text-right text-ink-soft tabular-nums`}
        title={document.page_count === null ? undefined : counted(document.page_count, pageUnit(document.mime_type))}
      >
        {document.page_count ?? '–'}
      </td>
      <td className={`${cell} ${wide} text-right text-ink-soft tabular-nums`}>{formatSize(document.size_bytes)}</td>
      <td className={`${cell} ${wide} text-ink-soft`}>{formatMoment(document.upload_date)}</td>
      <td className="relative pr-2 text-right">
        <DocumentMenu document={document} />
      </td>
    </tr>
  );
}

/** A link to the proposal that the agent is making, or that is ready. */
function ProposalMark({ document, status }: { document: Document; status: AutoCreateStatus }) {
  if (status !== 'running' && status !== 'proposed') return null;
  const words = status === 'running' ? 'The agent prepares it' : 'Proposal ready';
  return (
    <Tip text={words}>
      <Link
        to="/documents/$documentId"
        params={{ documentId: document.id }}
        search={{ tab: 'agent' }}
        aria-label={`${words}: ${document.document_name}`}
        className="relative rounded-sm p-1"
      >
        <Sparkles
          aria-hidden
          className={classNames('size-4', status === 'running' ? 'animate-pulse text-ink-faint' : 'text-accent')}
        />
      </Link>
    </Tip>
  );
}

/** That a later version has replaced the document, or that its file is gone from its source. */
function VersionMark({ document: { replaced_by, missing_since } }: { document: Document }) {
  if (replaced_by === undefined && missing_since === undefined) return null;
  const words =
    missing_since === undefined
      ? 'Replaced by a later version'
      : `Gone from its source since ${formatMoment(missing_since)}`;
  const Mark = missing_since === undefined ? History : FileX;
  return (
    <Tip text={words}>
      <span className="relative p-1 text-ink-soft">
        <Mark aria-hidden className="size-4" />
        <span className="sr-only">{words}</span>
      </span>
    </Tip>
  );
}

function PlaceholderRow() {
  return (
    <tr className="h-11 [&>td]:border-b [&>td]:border-line">
      <td aria-hidden />
      <td className={`${cell} pl-0`}>
        <Skeleton className="h-4 w-3/5" />
      </td>
      <td className={`${cell} ${wide}`}>
        <Skeleton className="h-4 w-20" />
      </td>
      {['w-24', 'w-6', 'w-12', 'w-20'].map((width) => (
        <td key={width} className={`${cell} ${wide}`}>
          <Skeleton className={`h-4 ${width}`} />
        </td>
      ))}
      <td aria-hidden />
    </tr>
  );
}

interface ChooseBoxProps {
  label: string;
  checked: boolean;
  /** Some documents of the page are selected, not all. */
  partly?: boolean;
  /** With `shift`, the whole range from the last selected document on. */
  onChoose: (shift: boolean) => void;
}

/** A checkbox that fills its cell, so that it is easy to hit. */
function ChooseBox({ label, checked, partly = false, onChoose }: ChooseBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = partly;
  }, [partly]);
  const shift = useRef(false);
  return (
    <label className="relative flex size-11 cursor-pointer items-center justify-center max-md:size-10">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onClick={(event) => {
          shift.current = event.shiftKey;
        }}
        onKeyDown={(event) => {
          shift.current = event.shiftKey;
        }}
        onChange={() => onChoose(shift.current)}
        onMouseDown={(event) => {
          // Shift would select the text between two rows.
          if (event.shiftKey) event.preventDefault();
        }}
        className="size-4 accent-accent"
      />
    </label>
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
