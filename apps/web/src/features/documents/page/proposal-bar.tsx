import type { Document } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { proposalQuery } from '../../../shared/proposals/proposals-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { AcceptChoice, useKindDecisions } from '../../proposals/index.ts';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

/** Names the kind of a proposed document, with Accept and Reject, on every tab except Agent. */
export function ProposalBar({ document }: { document: Document }) {
  const { auto_create: proposal } = document;
  if (proposal?.status !== 'proposed' || proposal.proposal_id === undefined) return null;
  return <Bar documentId={document.id} proposalId={proposal.proposal_id} />;
}

function Bar({ documentId, proposalId }: { documentId: string; proposalId: string }) {
  const { orgId, canWrite } = useSession();
  const proposal = useQuery(proposalQuery(orgId, proposalId)).data;
  const { accept, reject } = useKindDecisions({ id: proposalId, name: proposal?.name ?? 'Proposal' });
  const [isRejecting, setRejecting] = useState(false);
  const count = proposal?.document_count ?? 1;
  const isBusy = accept.isPending || reject.isPending || proposal === undefined;
  return (
    <section
      aria-label="Proposal"
      className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line bg-accent-soft px-3 py-1 text-sm"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 truncate">
        <span className="font-semibold">{proposal?.name ?? 'Proposal'}</span>
        {count > 1 && (
          <>
            {' · '}
            <Link to="/proposals" search={{ kind: proposalId }} className={textLinkClass}>
              {count} alike
            </Link>
          </>
        )}
      </p>
      {canWrite && (
        <>
          <AcceptChoice documentId={documentId} proposal={proposal} isBusy={isBusy} accept={accept.mutate} />
          <Button size="small" disabled={isBusy} className="shrink-0" onClick={() => setRejecting(true)}>
            <X aria-hidden className="size-4" /> Reject
          </Button>
        </>
      )}
      {isRejecting && (
        <ConfirmDialog
          title="Reject the proposal?"
          description={
            count > 1 || proposal?.accepted === true
              ? 'This deletes the extraction of this document. The document and the prompt are kept.'
              : 'This deletes the schema, prompt and extraction of the proposal, with your changes to them. The document is kept.'
          }
          action="Reject"
          run={async () => void (await reject.mutateAsync([documentId]))}
          onClose={() => setRejecting(false)}
        />
      )}
    </section>
  );
}
