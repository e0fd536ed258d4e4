import type { Source } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Files, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { sourceListQuery, deleteSource, sourcesKey, syncSource } from '../../shared/api/sources-api.ts';
import { AreaLinks } from '../../shared/page/area-links.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { Written } from '../../shared/labels/written.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type Column } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { sourceLabel } from './source-labels.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

const route = getRouteApi('/setup/sources');

function NameCell({ source }: { source: Source }) {
  const { orgId, canWrite } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const description = sourceLabel(source, tags);
  return (
    <div className="min-w-0 py-1">
      {canWrite ? (
        <Link
          to="/setup/new"
          search={{ source: source.id }}
          title={`Start a setup with ${source.name}`}
          className={rowLinkClass}
        >
          {source.name}
        </Link>
      ) : (
        <span className="block truncate text-base font-medium">{source.name}</span>
      )}
      <span className="block truncate text-xs text-ink-soft" title={description}>
        {description}
      </span>
    </div>
  );
}

const columns: Column<Source>[] = [
  { label: 'Name', render: (source) => <NameCell source={source} /> },
  {
    label: 'Documents',
    className: 'w-24 text-right tabular-nums',
    render: ({ document_count }) => document_count.toLocaleString(),
  },
  {
    label: 'Created',
    wideOnly: true,
    className: 'w-56 text-ink-soft truncate',
    render: ({ created_at, created_by }) => <Written at={created_at} by={created_by} />,
  },
];
const actions: Column<Source> = {
  label: 'Actions',
  labelHidden: true,
  className: 'relative w-24 text-right',
  render: (source) => (
    <>
      {source.connector !== undefined && source.enabled !== false && <SyncSource source={source} />}
      <DeleteSource source={source} />
    </>
  ),
};

/** Lists the sets of documents that setups were started with; each can be used again. */
export function SourceListPage() {
  const { orgId, canWrite } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(sourceListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const newSetup = canWrite && (
    <Link to="/setup/new" className={linkButtonClass('primary')}>
      <Plus aria-hidden className="size-4" /> New setup
    </Link>
  );
  return (
    <Page
      title="Sources"
      note="Sets of documents for collections. Filters by tag and name are applied each time a source is used."
      actions={newSetup}
    >
      <AreaLinks area="collections" />
      <PagedList
        noun="sources"
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
        onShowAll={() => void navigate({ search: {} })}
        items={list.data?.sources}
        query={list}
        columns={canWrite ? [...columns, actions] : columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Files} title="No sources yet" actions={newSetup}>
            A setup makes its source: all documents, those with a tag or a name, or those you choose.
          </EmptyState>
        }
      />
    </Page>
  );
}

function SyncSource({ source: { id, name } }: { source: Source }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const sync = useMutation({
    mutationFn: () => syncSource(orgId, id),
    onSuccess: async () => {
      toast(`The files of “${name}” are looked at now.`);
      await queryClient.invalidateQueries({ queryKey: sourcesKey(orgId) });
    },
    onError: (error) => toast(error.message),
  });
  return (
    <IconButton label={`Sync ${name} now`} disabled={sync.isPending} onClick={() => sync.mutate()}>
      <RefreshCw aria-hidden className="size-4" />
    </IconButton>
  );
}

function DeleteSource({ source: { id, name } }: { source: Source }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await deleteSource(orgId, id);
    toast('The source is deleted.');
    await queryClient.invalidateQueries({ queryKey: sourcesKey(orgId) });
  };
  return (
    <>
      <IconButton label={`Delete ${name}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description="Its documents and collections are kept. Open setups with this source cannot continue."
          action="Delete"
          run={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
