import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { proposalListQuery } from '../../shared/proposals/proposals-api.ts';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { DocumentsLink } from '../../shared/page/documents-link.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Pager } from '../../shared/ui/pager.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { KindCard } from './kind-card.tsx';
import { NotProposed } from './not-proposed.tsx';
import { counted } from '../../shared/formats/counted.ts';

const route = getRouteApi('/proposals');
const pageSize = 20;

/** Lists the agent's proposals by kind of document, each with a matrix of documents and fields. */
export function ProposalListPage() {
  const { orgId } = useSession();
  const [page, setPage] = useState(1);
  const list = useQuery(proposalListQuery(orgId, { skip: (page - 1) * pageSize, limit: pageSize }));
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const { kind } = route.useSearch();
  // The kind in the URL is open, else the biggest one, unless the user has toggled it.
  const [toggled, setToggled] = useState<Record<string, boolean>>({});
  const proposals = list.data?.proposals ?? [];
  const total = list.data?.total_count ?? 0;
  const documents = list.data?.document_count ?? 0;
  return (
    <>
      <title>Proposals · Docwright</title>
      <AppHeader>
        {/* Narrow wide navigations leave no room for what their current link says. */}
        <h1 className="truncate font-semibold min-[56rem]:max-[68rem]:sr-only">Proposals</h1>
        {total > 0 && (
          <span className="truncate text-sm text-ink-soft md:max-xl:hidden">
            {counted(documents, 'document')} in {counted(total, 'kind')}
          </span>
        )}
      </AppHeader>
      <main className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-7xl flex-col gap-3 p-3 md:p-6">
          <p className="text-ink-soft max-md:hidden">
            Documents that look alike, with the fields found in them. Nothing here is used anywhere until you accept it.
          </p>
          {list.error && <RetryNotice error={list.error} retry={() => void list.refetch()} />}
          {list.isPending && <Skeleton className="h-40" />}
          {list.data && proposals.length === 0 && (
            <EmptyState icon={Sparkles} title="No proposals" actions={<DocumentsLink />}>
              Upload documents with “Prepare automatically”. The agent’s proposals appear here for you to decide.
            </EmptyState>
          )}
          {proposals.map((proposal, at) => {
            const isOpen = toggled[proposal.id] ?? (kind === undefined ? at === 0 : kind === proposal.id);
            return (
              <KindCard
                key={proposal.id}
                proposal={proposal}
                tags={tags}
                isOpen={isOpen}
                onToggle={() => setToggled((before) => ({ ...before, [proposal.id]: !isOpen }))}
              />
            );
          })}
          {total > pageSize && <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />}
          <NotProposed />
        </div>
      </main>
    </>
  );
}
