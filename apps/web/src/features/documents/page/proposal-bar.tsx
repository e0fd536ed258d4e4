import type { Document } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronDown, Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { proposalQuery } from '../../../shared/proposals/proposals-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, MenuLine } from '../../../shared/ui/menu.tsx';
import { TagDot } from '../../../shared/labels/tag-chips.tsx';
import { tagBodyOf, suggestedTag, tagNameOf, type TagForKind } from '../../proposals/tag-for-kind.ts';
import { useKindDecisions } from '../../proposals/use-kind-decisions.ts';

/** On every tab of a document that waits for a decision: what it was read as, Accept and Reject. */
export function ProposalBar({ document }: { document: Document }) {
  const { auto_create: proposal } = document;
  if (proposal?.status !== 'proposed' || proposal.proposal_id === undefined) return null;
  return <Bar documentId={document.id} proposalId={proposal.proposal_id} />;
}

function Bar({ documentId, proposalId }: { documentId: string; proposalId: string }) {
  const { orgId, canWrite } = useSession();
  const proposal = useQuery(proposalQuery(orgId, proposalId)).data;
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const { accept, reject } = useKindDecisions({ id: proposalId, name: proposal?.name ?? 'Proposal' });
  const [tag, setTag] = useState<TagForKind>();
  const [isRejecting, setRejecting] = useState(false);
  const count = proposal?.document_count ?? 1;
  const chosen = tag ?? (proposal ? suggestedTag(proposal, tags) : { kind: 'none' as const });
  const isBusy = accept.isPending || reject.isPending || proposal === undefined;
  const newName = proposal ? tagNameOf(proposal) : '';
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
            <Link to="/proposals" search={{ kind: proposalId }} className="text-accent underline underline-offset-2">
              {count} alike
            </Link>
          </>
        )}
      </p>
      {canWrite && (
        <>
          <span className="inline-flex shrink-0">
            <Button
              look="primary"
              size="small"
              disabled={isBusy}
              className="rounded-r-none"
              onClick={() => accept.mutate(tagBodyOf(chosen, [documentId]))}
            >
              <Check aria-hidden className="size-4" /> Accept
            </Button>
            <Menu
              trigger={
                <Button
                  look="primary"
                  size="small"
                  aria-label="More ways to accept"
                  disabled={isBusy}
                  className="rounded-l-none border-l border-on-accent/30 px-1"
                >
                  <ChevronDown aria-hidden className="size-3.5" />
                </Button>
              }
            >
              {count > 1 && (
                <MenuItem onSelect={() => accept.mutate(tagBodyOf(chosen, undefined))}>
                  <Check aria-hidden /> Accept for all {count} documents
                </MenuItem>
              )}
              <MenuItem onSelect={() => accept.mutate(tagBodyOf(chosen, [documentId]))}>
                <Check aria-hidden /> Accept for this document only
              </MenuItem>
              <MenuLine />
              <MenuLabel>Tag on documents and prompt</MenuLabel>
              <MenuChoices
                value={chosen.kind === 'tag' ? chosen.tagId : chosen.kind}
                onValueChange={(next) => {
                  if (next === 'none') setTag({ kind: 'none' });
                  else if (next === 'new') setTag({ kind: 'new', name: newName });
                  else setTag({ kind: 'tag', tagId: next });
                }}
              >
                {!tags.some(({ name }) => name.toLowerCase() === newName.toLowerCase()) && (
                  <MenuChoice value="new">New tag: {newName}</MenuChoice>
                )}
                {tags.map((each) => (
                  <MenuChoice key={each.tag_id} value={each.tag_id}>
                    <TagDot tag={each} /> <span className="truncate">{each.name}</span>
                  </MenuChoice>
                ))}
                <MenuChoice value="none">No tag</MenuChoice>
              </MenuChoices>
            </Menu>
          </span>
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
          keep="Cancel"
          run={async () => void (await reject.mutateAsync([documentId]))}
          onClose={() => setRejecting(false)}
        />
      )}
    </section>
  );
}
