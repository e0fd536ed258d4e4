import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { documentListQuery } from '../api/documents-api.ts';
import { DocumentIcon } from '../labels/document-icon.tsx';
import { formatMoment } from '../formats/format-document.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { NameSearch } from '../ui/fields/name-search.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface DocumentPickProps {
  title: string;
  description: string;
  onPick: (document: { id: string; name: string }) => void;
  onClose: () => void;
}

const maxShown = 20;

/** Dialog that picks one document by name. */
export function DocumentPick({ title, description, onPick, onClose }: DocumentPickProps) {
  const { orgId } = useSession();
  const [name, setName] = useState('');
  const list = useQuery({
    ...documentListQuery(orgId, { name_search: name === '' ? undefined : name, skip: 0, limit: maxShown }),
    refetchInterval: false,
  });
  const documents = list.data?.documents;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      <NameSearch value={name} onChange={setName} className="w-full" />
      {list.error !== null && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {documents === undefined && list.error === null && <Skeleton className="h-32" />}
      {documents?.length === 0 && (
        <p className="text-sm text-ink-soft">
          {name === '' ? 'No documents yet. Upload one on the Documents page.' : 'No documents match.'}
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
