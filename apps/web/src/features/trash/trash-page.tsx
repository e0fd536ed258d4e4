import type { TrashedDocument } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Trash2, Undo2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { pageSize, type LibrarySearch } from '../../shared/addresses/library-search.ts';
import { purgeDocument, restoreDocument, startBulk, trashQuery } from '../../shared/api/bulk-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { DocumentIcon } from '../../shared/labels/document-icon.tsx';
import { Written } from '../../shared/labels/written.tsx';
import { Page, BackLink } from '../../shared/page/page.tsx';
import { SearchedList } from '../../shared/page/paged-list.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import type { TableColumn } from '../../shared/ui/data-table.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { useChange } from '../../shared/page/use-change.ts';

const route = getRouteApi('/trash');

const columns: TableColumn<TrashedDocument>[] = [
  {
    label: 'Name',
    render: ({ document_name, mime_type }) => (
      <span className="flex min-w-0 items-center gap-2">
        <DocumentIcon mimeType={mime_type} />
        <span className="truncate" title={document_name}>
          {document_name}
        </span>
      </span>
    ),
  },
  {
    label: 'Deleted',
    wideOnly: true,
    className: 'w-56 truncate text-ink-soft',
    render: ({ deleted_at, deleted_by }) =>
      deleted_by === null ? formatMoment(deleted_at) : <Written at={deleted_at} by={deleted_by} />,
  },
  {
    label: 'Removed for good',
    wideOnly: true,
    className: 'w-40 text-ink-soft',
    render: ({ purge_at }) => <time dateTime={purge_at}>{formatMoment(purge_at)}</time>,
  },
];
const actions: TableColumn<TrashedDocument> = {
  label: 'Actions',
  labelHidden: true,
  className: 'w-40 text-right',
  render: (document) => <TrashActions document={document} />,
};

/** Lists deleted documents, which can be restored for 30 days. */
export function TrashPage() {
  const { orgId, canWrite } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [emptying, setEmptying] = useState(false);
  const skip = ((search.page ?? 1) - 1) * pageSize;
  const list = useQuery(trashQuery(orgId, { name_search: search.q, skip, limit: pageSize }));
  const isLong = list.data?.total_is_minimum === true;
  // Who empties the trash sees how many documents are removed.
  const exact = useQuery({
    ...trashQuery(orgId, { name_search: search.q, skip: 0, limit: 1, exact_count: true }),
    enabled: emptying && isLong,
  });
  const total = list.data?.total_count;
  const removed = isLong ? exact.data?.total_count : total;
  const onSearch = useCallback(
    (next: LibrarySearch, replace: boolean) => void navigate({ search: next, replace }),
    [navigate],
  );
  return (
    <Page
      title="Trash"
      back={<BackLink to="/">Documents</BackLink>}
      note="Deleted documents can be restored for 30 days, with their extractions and conversations."
      actions={
        canWrite &&
        total !== undefined &&
        total > 0 && (
          <Button look="danger" onClick={() => setEmptying(true)}>
            Empty the trash…
          </Button>
        )
      }
    >
      {list.data?.keeps_removed_files === true && (
        <p className="max-w-prose text-sm text-pretty text-ink-soft">
          The store of the files keeps former versions: the file of a document that is removed for good stays there
          until your operator removes it.
        </p>
      )}
      <SearchedList
        noun="deleted documents"
        search={search}
        onSearch={onSearch}
        items={list.data?.documents}
        query={list}
        columns={canWrite ? [...columns, actions] : columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Trash2} title="The trash is empty">
            Documents that you delete appear here.
          </EmptyState>
        }
      />
      {emptying && removed !== undefined && (
        <ConfirmDialog
          title="Empty the trash?"
          description={`This removes ${counted(removed, 'document')} for good, with extractions and conversations. You cannot undo it.`}
          action="Remove for good"
          run={async () => {
            await startBulk(orgId, { action: 'purge', query: {}, expected_count: removed });
            toast('The trash is being emptied.');
            await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
          }}
          onClose={() => setEmptying(false)}
        />
      )}
    </Page>
  );
}

function TrashActions({ document: { id, document_name: name } }: { document: TrashedDocument }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
  const restoring = useChange(() => restoreDocument(orgId, id), {
    refreshes: [['documents', orgId]],
    says: `“${name}” is restored.`,
    showsError: true,
  });
  return (
    <span className="inline-flex items-center gap-1">
      <Button
        size="small"
        disabled={restoring.isPending}
        onClick={() => restoring.mutate()}
        aria-label={`Restore ${name}`}
      >
        <Undo2 aria-hidden className="size-3.5" /> Restore
      </Button>
      <IconButton label={`Remove ${name} for good`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-3.5" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={`Remove “${name}” for good?`}
          description="This also removes its extractions and conversations. You cannot undo it."
          action="Remove for good"
          run={async () => {
            await purgeDocument(orgId, id);
            await refresh();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}
