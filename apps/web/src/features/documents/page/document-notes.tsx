import type { Document, DocumentRouting, SignatureField, UnreadPart } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileX, ShieldBan, Signature, Signpost, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { documentListQuery, documentQuery, patchDocument } from '../../../shared/api/documents-api.ts';
import { routesQuery } from '../../../shared/api/arrival/routes-api.ts';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { MachineDataCard } from './machine-data-card.tsx';
import { useChange } from '../../../shared/page/use-change.ts';

/** Kinds of files that have files inside. */
const containers = new Set([
  'message/rfc822',
  'application/vnd.ms-outlook',
  'application/pkcs7-mime',
  'application/ms-tnef',
  'application/zip',
]);
const maxAttachments = 100;

/** What the text of the document lacks, what it has for machines, and the documents that it belongs to: nothing for most documents. */
export function DocumentNotes({ document }: { document: Document }) {
  const { orgId, canWrite } = useSession();
  const { id, attached_to, mime_type, routing, missing_since, never_to_model = false, duplicate_of } = document;
  const { unread = [], machine_data = [], signatures = [] } = document;
  const parent = useQuery({ ...documentQuery(orgId, attached_to ?? ''), enabled: attached_to !== undefined }).data;
  const inside = useQuery({
    ...documentListQuery(orgId, { attached_to: id, sort: 'document_name', skip: 0, limit: maxAttachments }),
    enabled: containers.has(mime_type),
  }).data;
  const attachments = inside?.documents ?? [];
  const isRouted = routing !== undefined && routing.state !== 'none';
  const related = relatedDocuments(document);
  const hasParts = [attachments, unread, machine_data, signatures, related].some((parts) => parts.length > 0);
  if (!parent && !hasParts && !isRouted && !never_to_model && missing_since === undefined) return null;
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
      {isRouted && <RoutingNote routing={routing} />}
      {never_to_model && (
        <span>
          <ShieldBan aria-hidden className="mr-1 inline size-3.5" />
          Kept from models
        </span>
      )}
      {missing_since !== undefined && (
        <span>
          <FileX aria-hidden className="mr-1 inline size-3.5" />
          Gone from its source since {formatMoment(missing_since)}
        </span>
      )}
      {related.map(({ label, documentId }) => (
        <Link key={label} to="/documents/$documentId" params={{ documentId }} className={textLinkClass}>
          {label}
        </Link>
      ))}
      {duplicate_of !== undefined && canWrite && <OwnButton documentId={id} />}
      {unread.length > 0 && <NotRead parts={unread} documentId={id} />}
      {signatures.length > 0 && <Signatures fields={signatures} documentId={id} />}
      {machine_data.length > 0 && <MachineDataCard data={machine_data} documentId={id} />}
    </div>
  );
}

/** Makes a duplicate a document of its own, which is then read like any other. */
function OwnButton({ documentId }: { documentId: string }) {
  const { orgId } = useSession();
  const making = useChange(() => patchDocument(orgId, documentId, { duplicate_of: null }), {
    refreshes: [['documents', orgId]],
    says: 'It is a document of its own, and is read now.',
    showsError: true,
  });
  return (
    <Button size="small" disabled={making.isPending} onClick={() => making.mutate()}>
      Make it a document of its own
    </Button>
  );
}

/** The documents that this one is a copy or a version of, or that have replaced it. */
function relatedDocuments({ duplicate_of, replaces, replaced_by }: Document): { label: string; documentId: string }[] {
  const all = [
    { label: 'Has the same bytes as another document', documentId: duplicate_of },
    { label: 'Replaces an earlier version', documentId: replaces },
    { label: 'A later version has replaced it', documentId: replaced_by },
  ];
  return all.flatMap(({ label, documentId }) => (documentId === undefined ? [] : [{ label, documentId }]));
}

/** Where the document went and why, or that a user decides. */
function RoutingNote({ routing: { state, route_ids, why } }: { routing: DocumentRouting }) {
  const { orgId } = useSession();
  const routes = useQuery(routesQuery(orgId)).data;
  const names = route_ids.map(
    (id) => routes?.find((route) => route.id === id)?.name ?? (routes ? 'a deleted route' : '…'),
  );
  return (
    <span title={why}>
      <Signpost aria-hidden className="mr-1 inline size-3.5" />
      {names.length > 0 && <>Route: {names.join(', ')} </>}
      {state !== 'routed' && (
        <Link to="/review" search={{ tab: 'routes' }} className={textLinkClass}>
          {state === 'unsure' ? 'A user decides its route' : 'A user decides its split'}
        </Link>
      )}
    </span>
  );
}

function DocumentLink({ document: { id, document_name } }: { document: Document }): ReactNode {
  return (
    <Link to="/documents/$documentId" params={{ documentId: id }} className={textLinkClass}>
      {document_name}
    </Link>
  );
}

/** The fields for signatures: which are signed, with what they show. */
function Signatures({ fields, documentId }: { fields: readonly SignatureField[]; documentId: string }) {
  const signed = fields.filter((field) => field.signed).length;
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer">
        <Signature aria-hidden className="mr-1 inline size-3.5" />
        {signed} of {fields.length} {fields.length === 1 ? 'field' : 'fields'} signed
      </summary>
      <ul className="flex flex-col gap-0.5 py-1">
        {fields.map(({ page_num, signed: isSigned, drawn_text }, index) => (
          <li key={index} className="wrap-anywhere">
            <PageLink documentId={documentId} page={page_num} />
            {signatureText(isSigned, drawn_text)}
          </li>
        ))}
      </ul>
      <p>Whether a signature is valid was not checked.</p>
    </details>
  );
}

/** What the page draws in a field is no signature that the file holds. */
function signatureText(isSigned: boolean, drawn: string | undefined): string {
  if (isSigned) return drawn === undefined ? 'signed' : `signed: ${drawn}`;
  return drawn === undefined ? 'not signed' : `not signed in the file, but shows: ${drawn}`;
}

function PageLink({ documentId, page }: { documentId: string; page: number }) {
  return (
    <>
      <Link to="/documents/$documentId" params={{ documentId }} search={{ page }} className={textLinkClass}>
        Page {page}
      </Link>
      {': '}
    </>
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
            {page_num !== undefined && <PageLink documentId={documentId} page={page_num} />}
            {name !== undefined && <strong className="font-medium">{name}: </strong>}
            {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
