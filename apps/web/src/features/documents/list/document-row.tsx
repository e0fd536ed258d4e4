import { pageUnit, type AutoCreateStatus, type Document } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { FileX, History, Sparkles } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { counted } from '../../../shared/formats/counted.ts';
import { formatMoment, formatSize } from '../../../shared/formats/format-document.ts';
import { DocumentIcon } from '../../../shared/labels/document-icon.tsx';
import { DocumentStateBadge } from '../../../shared/labels/document-state-badge.tsx';
import { TagChips } from '../../../shared/labels/tag-chips.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { Tip } from '../../../shared/ui/tip.tsx';
import { DocumentMenu } from '../document-menu.tsx';
import { ChooseBox } from './choose-box.tsx';

/** The look of every cell, and of those that narrow screens hide. */
export const cell = 'px-3 py-0 align-middle';
export const wide = 'hidden md:table-cell';

interface DocumentRowProps {
  document: Document;
  chosen: boolean;
  onChoose: (range: boolean) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => void;
}

/** What the list shows of a document. */
export function DocumentRow({ document, chosen, onChoose, onKeyDown }: DocumentRowProps) {
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

/** An empty row of the same height, while the list loads. */
export function PlaceholderRow() {
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
