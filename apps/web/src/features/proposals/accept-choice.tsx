import type { AcceptKindBody, Proposal } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../../shared/ui/menu.tsx';
import { suggestedTag, tagBodyOf, type TagForKind } from './tag-for-kind.ts';
import { TagChoices } from './tag-choices.tsx';

interface AcceptChoiceProps {
  documentId: string;
  /** Undefined while it loads. */
  proposal: Proposal | undefined;
  isBusy: boolean;
  accept: (body: AcceptKindBody) => void;
}

/** Accepts a proposal for one document or for all of its kind, with the suggested tag or another. */
export function AcceptChoice({ documentId, proposal, isBusy, accept }: AcceptChoiceProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const [tag, setTag] = useState<TagForKind>();
  const chosen = tag ?? (proposal ? suggestedTag(proposal, tags) : { kind: 'none' as const });
  const count = proposal?.document_count ?? 1;
  const acceptThis = () => accept(tagBodyOf(chosen, [documentId]));
  return (
    <span className="inline-flex shrink-0">
      <Button look="primary" size="small" disabled={isBusy} className="rounded-r-none" onClick={acceptThis}>
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
          <MenuItem onSelect={() => accept(tagBodyOf(chosen, undefined))}>
            <Check aria-hidden /> Accept for all {count} documents
          </MenuItem>
        )}
        <MenuItem onSelect={acceptThis}>
          <Check aria-hidden /> Accept for this document only
        </MenuItem>
        <MenuLine />
        <TagChoices proposal={proposal} tags={tags} value={chosen} onChange={setTag} />
      </Menu>
    </span>
  );
}
