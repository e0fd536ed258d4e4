import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { TagDot } from '../../../shared/labels/tag-chips.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../shared/ui/menu.tsx';
import { useProposalActions } from './use-proposal-actions.ts';

/** Accepts a proposal as it is, or with a tag: then its prompt applies to all documents that carry the tag. */
export function AcceptProposal({ documentId, icon }: { documentId: string; icon: ReactNode }) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const { accept } = useProposalActions(documentId);
  return (
    <span className="inline-flex">
      <Button
        look="primary"
        size="small"
        disabled={accept.isPending}
        className={tags.length > 0 ? 'rounded-r-none' : undefined}
        onClick={() => accept.mutate(undefined)}
      >
        {icon} Accept
      </Button>
      {tags.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button
              look="primary"
              size="small"
              aria-label="Accept with a tag"
              disabled={accept.isPending}
              className="rounded-l-none border-l border-on-accent/30 px-1"
            >
              <ChevronDown aria-hidden className="size-3.5" />
            </Button>
          }
        >
          <MenuLabel>Accept, for documents with the tag</MenuLabel>
          {tags.map((tag) => (
            <MenuItem key={tag.tag_id} onSelect={() => accept.mutate(tag.tag_id)}>
              <TagDot tag={tag} /> <span className="truncate">{tag.name}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </span>
  );
}
