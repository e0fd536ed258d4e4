import type { Document, UnreadPart } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { documentListQuery, documentQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { MachineDataCard } from './machine-data-card.tsx';

/** Kinds of files that have files inside. */
const containers = new Set(['message/rfc822', 'application/vnd.ms-outlook', 'application/zip']);
const maxAttachments = 100;

/** What the text of the document lacks, what it has for machines, and the documents that it belongs to: nothing for most documents. */
export function DocumentNotes({ document }: { document: Document }) {
  const { orgId } = useSession();
  const { id, attached_to, mime_type, unread = [], machine_data = [] } = document;
  const parent = useQuery({ ...documentQuery(orgId, attached_to ?? ''), enabled: attached_to !== undefined }).data;
  const inside = useQuery({
    ...documentListQuery(orgId, { attached_to: id, sort: 'document_name', skip: 0, limit: maxAttachments }),
    enabled: containers.has(mime_type),
  }).data;
  const attachments = inside?.documents ?? [];
  if (!parent && attachments.length === 0 && unread.length === 0 && machine_data.length === 0) return null;
  return (
    <div className="flex max-h-40 shrink-0 flex-wrap items-start gap-x-6 gap-y-1 overflow-auto border-b border-line bg-surface px-3 py-1.5 text-sm text-ink-soft">
      {parent && (
        <span>
          Attached to <DocumentLink document={parent} />
        </span>
      )}
      {attachments.length > 0 && (
        <ul aria-label="Attachments" className="flex flex-wrap gap-x-3">
          <li aria-hidden>Attachments:</li>
          {attachments.map((attachment) => (
            <li key={attachment.id}>
              <DocumentLink document={attachment} />
            </li>
          ))}
        </ul>
      )}
      {unread.length > 0 && <NotRead parts={unread} documentId={id} />}
      {machine_data.length > 0 && <MachineDataCard data={machine_data} documentId={id} />}
    </div>
  );
}

function DocumentLink({ document: { id, document_name } }: { document: Document }): ReactNode {
  return (
    <Link to="/documents/$documentId" params={{ documentId: id }} className={textLinkClass}>
      {document_name}
    </Link>
  );
}

function NotRead({ parts, documentId }: { parts: readonly UnreadPart[]; documentId: string }) {
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer text-warn">
        <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
        {parts.length === 1 ? 'One part was not read' : `${parts.length} parts were not read`}
      </summary>
      <ul className="flex flex-col gap-0.5 py-1">
        {parts.map(({ page_num, name, message }, index) => (
          <li key={index} className="wrap-anywhere">
            {page_num !== undefined && (
              <>
                <Link
                  to="/documents/$documentId"
                  params={{ documentId }}
                  search={{ page: page_num }}
                  className={textLinkClass}
                >
                  Page {page_num}
                </Link>
                {': '}
              </>
            )}
            {name !== undefined && <strong className="font-medium">{name}: </strong>}
            {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
