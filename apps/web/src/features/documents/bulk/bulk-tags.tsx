import type { CreateDocumentBulkBody, Document, Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Minus, Plus, Tags } from 'lucide-react';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { TagDot } from '../../../shared/labels/tag-chips.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../../shared/ui/menu.tsx';

type TagAction = Pick<CreateDocumentBulkBody, 'action' | 'tag_ids'>;

interface BulkTagsProps {
  /** Undefined if all matches of a query are selected: their tags are not known here. */
  documents: Document[] | undefined;
  disabled: boolean;
  onApply: (action: TagAction) => Promise<void>;
}

/** Adds a tag to all selected documents, or removes it from them. */
export function BulkTags({ documents, disabled, onApply }: BulkTagsProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  if (tags.length === 0) return null;
  const apply = (action: 'tag' | 'untag', { tag_id }: Tag) => void onApply({ action, tag_ids: [tag_id] });
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" size="small" disabled={disabled}>
          <Tags aria-hidden className="size-3.5" /> Tags
        </Button>
      }
    >
      {documents === undefined ? (
        <>
          <MenuLabel>Add to all</MenuLabel>
          {tags.map((tag) => (
            <MenuItem key={tag.tag_id} onSelect={() => apply('tag', tag)}>
              <Plus aria-hidden /> <TagDot tag={tag} />
              <span className="truncate">{tag.name}</span>
            </MenuItem>
          ))}
          <MenuLine />
          <MenuLabel>Remove from all</MenuLabel>
          {tags.map((tag) => (
            <MenuItem key={tag.tag_id} onSelect={() => apply('untag', tag)}>
              <Minus aria-hidden /> <TagDot tag={tag} />
              <span className="truncate">{tag.name}</span>
            </MenuItem>
          ))}
        </>
      ) : (
        <>
          <MenuLabel>Add or remove tags</MenuLabel>
          {tags.map((tag) => {
            const tagged = documents.filter(({ tag_ids }) => tag_ids.includes(tag.tag_id)).length;
            const everywhere = tagged === documents.length;
            return (
              <MenuCheck
                key={tag.tag_id}
                checked={everywhere ? true : tagged > 0 ? 'indeterminate' : false}
                onCheckedChange={() => apply(everywhere ? 'untag' : 'tag', tag)}
              >
                <TagDot tag={tag} />
                <span className="min-w-0 flex-1 truncate">{tag.name}</span>
                {tagged > 0 && !everywhere && <span className="text-xs text-ink-faint tabular-nums">{tagged}</span>}
              </MenuCheck>
            );
          })}
        </>
      )}
    </Menu>
  );
}
