import type { Collection } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Library, WandSparkles } from 'lucide-react';
import { collectionListQuery, isIndexing } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { AreaLinks } from '../../shared/page/area-links.tsx';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';
import { useSourceName } from '../../shared/labels/use-source-name.ts';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { collectionStateLabel, progressLabel } from './collection-labels.ts';

const route = getRouteApi('/collections');

export function CollectionListPage() {
  const { orgId, canWrite } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(collectionListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const start = canWrite && (
    <Link to="/setup/new" className={linkButtonClass('primary')}>
      <WandSparkles aria-hidden className="size-4" /> Guided setup
    </Link>
  );
  return (
    <Page title="Collections" note="Documents you search together, by keywords and by meaning." actions={start}>
      <AreaLinks area="collections" />
      <PagedList
        noun="collections"
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
        onShowAll={() => void navigate({ search: {} })}
        items={list.data?.collections}
        query={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Library} title="No collections yet" actions={start}>
            {canWrite
              ? 'Choose documents. An agent analyzes them and designs how they are read, split and indexed. You search the result here.'
              : 'You can view this organization. Collections that members create appear here.'}
          </EmptyState>
        }
      />
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
  const share = progress.documents === 0 ? 0 : (progress.documents - progress.waiting) / progress.documents;
  return (
    <span className="flex items-center gap-2">
      <StateMark {...collectionStateLabel(collection)} />
      {isIndexing(collection) && (
        <span className="text-xs text-ink-soft tabular-nums">{Math.floor(share * 100)} %</span>
      )}
    </span>
  );
}

const columns: TableColumn<Collection>[] = [
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
        <span className="block truncate text-xs text-ink-soft md:hidden">{progressLabel(collection)}</span>
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
      <span className="block truncate" title={progressLabel(collection)}>
        {progressLabel(collection)}
      </span>
    ),
  },
  {
    label: 'Created',
    wideOnly: true,
    className: 'w-44 text-ink-soft tabular-nums',
    render: ({ created_at }) => <time dateTime={created_at}>{momentLabel(created_at, localTimezone())}</time>,
  },
];
