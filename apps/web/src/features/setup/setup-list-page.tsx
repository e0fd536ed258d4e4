import type { ListedAgentConversation } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, WandSparkles } from 'lucide-react';
import { conversationListQuery } from '../../shared/api/pipeline-agent-api.ts';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page } from '../../shared/page/page.tsx';
import { PagedList } from '../../shared/page/paged-list.tsx';
import { pageSize } from '../../shared/addresses/library-search.ts';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import { useSourceName } from '../../shared/labels/use-source-name.ts';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { rowLinkClass, type TableColumn } from '../../shared/ui/data-table.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { AreaLinks } from '../../shared/page/area-links.tsx';
import { statusLabel } from './state/setup-labels.ts';
import { textLinkClass } from '../../shared/ui/text-link.ts';

const route = getRouteApi('/setup');

function SourceLink({ conversation: { id, source_id, summary } }: { conversation: ListedAgentConversation }) {
  const name = useSourceName(source_id);
  // The first message distinguishes conversations about one source.
  const firstMessage = summary?.split('\n')[0]?.replace(/^Person: /u, '') ?? 'No messages yet';
  return (
    <div className="min-w-0 py-1">
      <Link to="/setup/$conversationId" params={{ conversationId: id }} title={name} className={rowLinkClass}>
        {name ?? '…'}
      </Link>
      <span className="block truncate text-xs text-ink-soft" title={firstMessage}>
        {firstMessage}
      </span>
    </div>
  );
}

const columns: TableColumn<ListedAgentConversation>[] = [
  { label: 'Source', render: (conversation) => <SourceLink conversation={conversation} /> },
  {
    label: 'State',
    className: 'w-28 md:w-36',
    render: (conversation) => <StateMark {...statusLabel(conversation)} />,
  },
  {
    label: 'Result',
    wideOnly: true,
    className: 'w-44 text-ink-soft',
    render: (conversation) => <Outcome conversation={conversation} />,
  },
  {
    label: 'Last used',
    wideOnly: true,
    className: 'w-36 text-ink-soft',
    render: ({ updated_at }) => <time dateTime={updated_at}>{formatMoment(updated_at)}</time>,
  },
];

function Outcome({ conversation }: { conversation: ListedAgentConversation }) {
  const { collection_id, current_pipeline, uncertainties } = conversation;
  if (collection_id !== null) {
    return (
      <Link
        to="/collections/$collectionId"
        params={{ collectionId: collection_id }}
        className={`${textLinkClass} relative`}
      >
        Its collection
      </Link>
    );
  }
  if (current_pipeline === null) return 'None yet';
  const blocking = uncertainties.filter(({ severity, resolved }) => severity === 'blocking' && !resolved).length;
  return blocking === 0 ? 'Pipeline' : `Pipeline, ${blocking} blocking`;
}

/** Lists the user's conversations about collections, and starts new ones. */
export function SetupListPage() {
  const { orgId, canWrite } = useSession();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(conversationListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const start = canWrite && (
    <Link to="/setup/new" className={linkButtonClass('primary')}>
      <Plus aria-hidden className="size-4" /> New setup
    </Link>
  );
  return (
    <Page
      title="Guided setup"
      note="An agent turns documents into a searchable collection with you. Only you see your setups."
      actions={start}
    >
      <AreaLinks area="collections" />
      <PagedList
        noun="setups"
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
        onShowAll={() => void navigate({ search: {} })}
        items={list.data?.conversations}
        query={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={WandSparkles} title="No setups yet" actions={start}>
            {canWrite
              ? 'Choose documents. The agent analyzes them, proposes how to read and index them, and tries it. You apply what it proposes.'
              : 'You can view this organization. Members and admins set collections up.'}
          </EmptyState>
        }
      />
    </Page>
  );
}
