import type { Document } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { Skeleton } from '../ui/skeleton.tsx';
import { DocumentIcon } from './document-icon.tsx';
import { DocumentMenu } from './document-menu.tsx';
import { DocumentStateBadge } from './document-state-badge.tsx';
import { formatMoment, formatSize } from './format-document.ts';
import { TagChips } from './tag-chips.tsx';

const cell = 'px-3 py-0 align-middle';
const wide = 'hidden md:table-cell';

/** The page of the list; without documents yet, rows of the same height hold its place. */
export function DocumentTable({ documents }: { documents: Document[] | undefined }) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-sm">
      <thead>
        <tr className="h-8 text-left text-xs text-ink-faint [&>th]:border-b [&>th]:border-line [&>th]:font-medium">
          <th className={cell}>Name</th>
          <th className={`${cell} w-36 max-md:w-32`}>State</th>
          <th className={`${cell} ${wide} w-52`}>Tags</th>
          <th className={`${cell} ${wide} w-16 text-right`}>Pages</th>
          <th className={`${cell} ${wide} w-20 text-right`}>Size</th>
          <th className={`${cell} ${wide} w-32`}>Uploaded</th>
          <th className="w-11">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents === undefined
          ? Array.from({ length: 6 }, (_, index) => <PlaceholderRow key={index} />)
          : documents.map((document) => <DocumentRow key={document.id} document={document} />)}
      </tbody>
    </table>
  );
}

function DocumentRow({ document }: { document: Document }) {
  return (
    <tr className="relative h-11 transition-colors hover:bg-hover [&>td]:border-b [&>td]:border-line">
      <td className={cell}>
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
      </td>
      <td className={`${cell} [&_button]:relative`}>
        <DocumentStateBadge document={document} />
      </td>
      <td className={`${cell} ${wide}`}>
        <TagChips tagIds={document.tag_ids} />
      </td>
      <td className={`${cell} ${wide} text-right text-ink-soft tabular-nums`}>{document.page_count ?? '–'}</td>
      <td className={`${cell} ${wide} text-right text-ink-soft tabular-nums`}>{formatSize(document.size_bytes)}</td>
      <td className={`${cell} ${wide} text-ink-soft`}>{formatMoment(document.upload_date)}</td>
      <td className="relative pr-2 text-right">
        <DocumentMenu document={document} />
      </td>
    </tr>
  );
}

function PlaceholderRow() {
  return (
    <tr className="h-11 [&>td]:border-b [&>td]:border-line">
      <td className={cell}>
        <Skeleton className="h-4 w-3/5" />
      </td>
      <td className={cell}>
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
