import { withExactNumbers, type AutoCreate, type Document } from '@docwright/contract';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListVideo, MessageSquareText, Sparkles, X } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { extractionsQuery } from '../../../shared/api/extractions-api.ts';
import { promptQuery, schemaQuery } from '../../../shared/api/library-api.ts';
import { fieldsOf, resultTree, filledFields } from '../../../shared/values/result-tree.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { EntityLink } from '../../../agent-ui/markdown/entity-link.tsx';
import { messageOf } from '../../../shared/http/api-error.ts';
import { documentQuery, startAutoCreate } from '../../../shared/api/documents-api.ts';
import { proposalQuery, proposalsKey } from '../../../shared/proposals/proposals-api.ts';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { AcceptChoice, useKindDecisions } from '../../proposals/index.ts';
import { ReviewMark } from '../../../shared/labels/review-mark.tsx';

const RunLog = lazyPart(async () => ({ default: (await import('./run-log.tsx')).RunLog }));

interface ProposalBannerProps {
  document: Document;
  proposal: AutoCreate;
  /** Opens the conversation to refine the proposal. */
  onRefine: () => void;
}

/** The agent's automatic proposal, with Accept, Refine and Reject. */
export function ProposalBanner({ document, proposal, onRefine }: ProposalBannerProps) {
  const [replaying, setReplaying] = useState(false);
  const log = proposal.agent_log ?? [];
  const replay = log.length > 0 && (
    <Button look="quiet" size="small" onClick={() => setReplaying(true)}>
      <ListVideo aria-hidden className="size-3.5" /> What it did
    </Button>
  );
  const banner = bannerFor(proposal, document, replay, onRefine);
  if (banner === undefined) return null;
  return (
    <section aria-label="Automatic proposal" className="max-h-[40vh] shrink-0 overflow-y-auto border-b border-line p-3">
      {banner}
      {replaying && (
        <Suspense>
          <RunLog rounds={log} onClose={() => setReplaying(false)} />
        </Suspense>
      )}
    </section>
  );
}

function bannerFor(
  proposal: AutoCreate,
  document: Document,
  replay: ReactNode,
  onRefine: () => void,
): ReactNode | undefined {
  switch (proposal.status) {
    case 'running':
      if (proposal.waiting) return <PendingProposal documentId={document.id} />;
      return (
        <output className="flex items-center gap-2 text-sm text-ink-soft">
          <Spinner label="Preparing" className="text-accent" /> The agent is preparing this document.
        </output>
      );
    case 'failed':
      return <Failed document={document} proposal={proposal} replay={replay} />;
    case 'proposed':
      return <Proposed document={document} proposal={proposal} replay={replay} onRefine={onRefine} />;
    default:
      return undefined;
  }
}

/** The preparation needs an approval, which is given in the inbox. */
function PendingProposal({ documentId }: { documentId: string }) {
  return (
    <Notice tone="warn">
      The agent is preparing this document and needs your decision.{' '}
      <Link to="/inbox" search={{ document: documentId }} className="font-medium underline underline-offset-2">
        Open the Inbox
      </Link>
    </Notice>
  );
}

interface ProposalProps {
  document: Document;
  proposal: AutoCreate;
  replay: ReactNode;
}

function Failed({ document, proposal, replay }: ProposalProps) {
  const { canWrite } = useSession();
  const start = useStart(document.id);
  return (
    <Notice
      tone="warn"
      actions={
        <span className="flex flex-wrap gap-1.5">
          {replay}
          {canWrite && (
            <Button size="small" disabled={start.isPending} onClick={() => start.mutate()}>
              Try again
            </Button>
          )}
        </span>
      }
    >
      <p>Automatic preparation failed: {proposal.error?.message ?? 'the run ended early.'}</p>
      <p>Nothing was changed.</p>
    </Notice>
  );
}

function Proposed({ document, proposal, replay, onRefine }: ProposalProps & { onRefine: () => void }) {
  const { orgId, canWrite } = useSession();
  const { proposal_id = '' } = proposal;
  // The kind is missing if its prompt was deleted; its documents can still be accepted or rejected.
  const { data: kind, isLoading } = useQuery({ ...proposalQuery(orgId, proposal_id), enabled: proposal_id !== '' });
  const { accept, reject } = useKindDecisions({ id: proposal_id, name: kind?.name ?? 'Proposal' });
  const isBusy = accept.isPending || reject.isPending || isLoading;
  const [asking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-2.5 rounded-lg border border-accent bg-accent-soft p-3">
      <div className="flex items-start gap-2">
        <Sparkles aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <div className="min-w-0 flex-1 text-sm">
          <h2 className="font-semibold">Prepared automatically</h2>
          <ProposalSummary document={document} proposal={proposal} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {canWrite && (
          <>
            <AcceptChoice documentId={document.id} proposal={kind} isBusy={isBusy} accept={accept.mutate} />
            <Button size="small" onClick={onRefine}>
              <MessageSquareText aria-hidden className="size-3.5" /> Refine
            </Button>
            <Button size="small" disabled={isBusy} onClick={() => setAsking(true)}>
              <X aria-hidden className="size-4" /> Reject
            </Button>
          </>
        )}
        {replay}
      </div>
      {asking && (
        <ConfirmDialog
          title="Reject the proposal?"
          description={
            proposal.reuses === undefined
              ? 'This deletes the extraction, and the schema and prompt of the proposal unless other documents use them. The document is kept.'
              : 'This deletes the extraction. The document and the prompt are kept.'
          }
          action="Reject"
          run={async () => void (await reject.mutateAsync([document.id]))}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** One sentence about the proposed schema, prompt and values, with links. */
function ProposalSummary({
  document,
  proposal: { schema_revid, prompt_revid, reuses },
}: Omit<ProposalProps, 'replay'>) {
  const { orgId } = useSession();
  const schema = useQuery({ ...schemaQuery(orgId, schema_revid ?? ''), enabled: schema_revid !== undefined }).data;
  const prompt = useQuery({ ...promptQuery(orgId, prompt_revid ?? ''), enabled: prompt_revid !== undefined }).data;
  const extractions = useQuery(extractionsQuery(orgId, document.id)).data?.extractions;
  // After a refinement the newest result of the prompt counts, as in the line below the banner.
  const prompt_id = prompt?.prompt_id;
  const extraction = extractions?.find((candidate) => candidate.prompt_id === prompt_id);
  const fields = extraction ? fieldsOf(resultTree(withExactNumbers(extraction), undefined)) : [];
  const filled = filledFields(fields).length;
  return (
    <p className="text-ink-soft [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-2">
      {reuses === undefined ? 'The agent created' : 'The agent created nothing: the document fits'}
      {reuses === undefined && schema_revid !== undefined && (
        <>
          {' the schema '}
          <EntityLink address={{ kind: 'schema', id: schema_revid }}>{schema?.name ?? '…'}</EntityLink>
          <ReviewMark of={schema} /> and
        </>
      )}
      {prompt_revid !== undefined && (
        <>
          {' the prompt '}
          <EntityLink address={{ kind: 'prompt', id: prompt_revid }}>{prompt?.name ?? '…'}</EntityLink>
          <ReviewMark of={prompt} />
        </>
      )}
      {extraction && `, and found ${filled} of ${fields.length} values`}
      {extraction?.is_complete === false && '; the result is incomplete'}. It is not used elsewhere until you accept it.
    </p>
  );
}

/** Starts the preparation again and refetches everything that shows it. */
function useStart(documentId: string) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refresh = async () => {
    const keys = [
      ['documents', orgId],
      ['extractions', orgId, documentId],
      ['prompts', orgId],
      ['schemas', orgId],
      proposalsKey(orgId),
    ];
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  const show = async (document: Document) => {
    queryClient.setQueryData(documentQuery(orgId, documentId).queryKey, document);
    await refresh();
  };
  const onError = async (error: Error) => {
    toast(messageOf(error), 'bad');
    await refresh();
  };
  return useMutation({ mutationFn: () => startAutoCreate(orgId, documentId), onSuccess: show, onError });
}
