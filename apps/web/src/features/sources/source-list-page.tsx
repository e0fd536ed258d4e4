import type { Source } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Files, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { sourceListQuery, deleteSource, sourcesKey, syncSource } from '../../shared/api/sources-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { AreaLinks } from '../../shared/page/area-links.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { Written } from '../../shared/labels/written.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { syncState } from './connector/sync-state.ts';
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
      {source.connector ? (
        <Link to="/setup/sources/$sourceId" params={{ sourceId: source.id }} className={rowLinkClass}>
          {source.name}
        </Link>
      ) : canWrite ? (
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

/** The state of a sync changes by itself. */
const refetchMs = 10_000;

const columns: TableColumn<Source>[] = [
  { label: 'Name', render: (source) => <NameCell source={source} /> },
  {
    label: 'State',
    wideOnly: true,
    className: 'w-52',
    render: (source) => source.connector && <StateMark {...syncState(source)} />,
  },
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
const actions: TableColumn<Source> = {
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

/** Lists the sources that fill themselves, and the sets of documents that setups were started with. */
export function SourceListPage() {
  const { orgId, organization, canWrite } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...sourceListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }),
    refetchInterval: refetchMs,
  });
  const newSetup = canWrite && (
    <Link to="/setup/new" className={linkButtonClass('secondary')}>
      <Plus aria-hidden className="size-4" /> New setup
    </Link>
  );
  const newSource = organization.role === 'admin' && (
    <Link to="/setup/sources/new" className={linkButtonClass('primary')}>
      <Plus aria-hidden className="size-4" /> Add a source
    </Link>
  );
  const both = (
    <>
      {newSetup}
      {newSource}
    </>
  );
  return (
    <Page
      title="Sources"
      note="Folders, buckets and mailboxes that documents come from by themselves, and sets of documents for collections."
      actions={both}
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
          <EmptyState icon={Files} title="No sources yet" actions={both}>
            Add a folder, a bucket or a mailbox, and its files become documents by themselves. A setup makes a source of
            documents that are already here.
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
    onError: (error) => toast(messageOf(error), 'bad'),
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
          description="Its documents and collections are kept, and no more files are taken. Open setups with this source cannot continue."
          action="Delete"
          run={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
