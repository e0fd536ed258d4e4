import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { documentListQuery } from '../../../shared/api/documents-api.ts';
import { DocumentIcon } from '../../../shared/labels/document-icon.tsx';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { NameSearch } from '../../../shared/ui/fields/name-search.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import type { NamedDocument } from '../state/conversation-entries.ts';

interface DocumentPickProps {
  onPick: (document: NamedDocument) => void;
  onClose: () => void;
}

const mostShown = 20;

/** Chooses one document of the organization that the agent shall look at. */
export function DocumentPick({ onPick, onClose }: DocumentPickProps) {
  const { orgId } = useSession();
  const [name, setName] = useState('');
  const list = useQuery({
    ...documentListQuery(orgId, { name_search: name === '' ? undefined : name, skip: 0, limit: mostShown }),
    refetchInterval: false,
  });
  const documents = list.data?.documents;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="A document to look at"
      description="The agent reads the start of its text to suggest columns."
    >
      <NameSearch value={name} onChange={setName} className="w-full" />
      {list.error !== null && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {documents === undefined && list.error === null && <Skeleton className="h-32" />}
      {documents?.length === 0 && (
        <p className="text-sm text-ink-soft">
          {name === ''
            ? 'There are no documents yet. Upload one on the page of the documents.'
            : 'No document has this in its name.'}
        </p>
      )}
      <ul className="flex flex-col">
        {documents?.map(({ id, document_name, mime_type, upload_date }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onPick({ id, name: document_name })}
              className="flex min-h-9 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover"
            >
              <DocumentIcon mimeType={mime_type} />
              <span className="min-w-0 flex-1 truncate">{document_name}</span>
              <span className="shrink-0 text-xs text-ink-faint">{formatMoment(upload_date)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
