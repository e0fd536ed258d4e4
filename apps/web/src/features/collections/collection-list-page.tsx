import type { Collection } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Library, SearchX, WandSparkles } from 'lucide-react';
import { collectionListQuery, isIndexing } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { SetupLinks } from '../../shared/page/setup-area-links.tsx';
import { Page, panelClass } from '../../shared/page/page.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { localTimezone, momentWords } from '../../shared/formats/timing-labels.ts';
import { useSourceName } from '../../shared/labels/use-source-name.ts';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { DataTable, rowLinkClass, type Column } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { collectionStateWords, progressWords } from './collection-labels.ts';

const route = getRouteApi('/collections');

export function CollectionListPage() {
  const { orgId, canWrite } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(collectionListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const collections = list.data?.collections;
  const none = collections?.length === 0;
  const start = canWrite && (
    <Link to="/setup/new" className={linkButtonClass('primary')}>
      <WandSparkles aria-hidden className="size-4" /> Guided setup
    </Link>
  );
  return (
    <Page
      title="Collections"
      note="Documents that can be searched together: by words, and by what is meant."
      actions={start}
    >
      <SetupLinks />
      {list.isError && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
      {(collections !== undefined || !list.isError) && (
        <div className={panelClass}>
          {!none && <DataTable label="Collections" columns={columns} items={collections} keyOf={({ id }) => id} />}
          {none && page > 1 && <EmptyState icon={SearchX} title="The list ends before this page" />}
          {none && page === 1 && (
            <EmptyState icon={Library} title="No collections yet" actions={start}>
              {canWrite
                ? 'Choose documents, and an agent looks at them and proposes how they are read, cut and indexed. What comes of it can be searched here.'
                : 'You may read in this organization. Collections that members make appear here, to be searched.'}
            </EmptyState>
          )}
        </div>
      )}
      {list.data && list.data.total_count > pageSize && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={list.data.total_count}
          onPage={(next) => void navigate({ search: { page: next } })}
        />
      )}
    </Page>
  );
}

function SourceName({ id }: { id: string }) {
  const name = useSourceName(id);
  return (
    <span className="block truncate" title={name}>
      {name}
    </span>
  );
}

function State({ collection }: { collection: Collection }) {
  const { progress } = collection;
  const through = progress.documents === 0 ? 0 : (progress.documents - progress.waiting) / progress.documents;
  return (
    <span className="flex items-center gap-2">
      <StateMark {...collectionStateWords(collection)} />
      {isIndexing(collection) && (
        <span className="text-xs text-ink-soft tabular-nums">{Math.floor(through * 100)} %</span>
      )}
    </span>
  );
}

const columns: Column<Collection>[] = [
  {
    label: 'Name',
    render: (collection) => (
      <div className="min-w-0 py-0.5">
        <Link
          to="/collections/$collectionId"
          params={{ collectionId: collection.id }}
          className={rowLinkClass}
          title={collection.name}
        >
          {collection.name}
        </Link>
        <span className="block truncate text-xs text-ink-soft md:hidden">{progressWords(collection)}</span>
      </div>
    ),
  },
  {
    label: 'Source',
    wideOnly: true,
    className: 'text-ink-soft',
    render: ({ source_id }) => <SourceName id={source_id} />,
  },
  { label: 'State', className: 'w-36', render: (collection) => <State collection={collection} /> },
  {
    label: 'Documents',
    wideOnly: true,
    className: 'text-ink-soft tabular-nums',
    render: (collection) => (
      <span className="block truncate" title={progressWords(collection)}>
        {progressWords(collection)}
      </span>
    ),
  },
  {
    label: 'Created',
    wideOnly: true,
    className: 'w-44 text-ink-soft tabular-nums',
    render: ({ created_at }) => <time dateTime={created_at}>{momentWords(created_at, localTimezone())}</time>,
  },
];
