import type { Document } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Tags } from 'lucide-react';
import { patchDocument, readDocument } from '../../../shared/api/documents-api.ts';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Menu, MenuCheck, MenuLabel } from '../../../shared/ui/menu.tsx';
import { TagDot } from '../../../shared/labels/tag-chips.tsx';
import type { Work } from './use-bulk-run.ts';

interface BulkTagsProps {
  documents: Document[];
  disabled: boolean;
  onApply: (doing: string, done: string, work: Work) => Promise<unknown>;
}

/** Each tag with how many of the chosen carry it; a tag that all carry is taken from all, any other is put on all. */
export function BulkTags({ documents, disabled, onApply }: BulkTagsProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  if (tags.length === 0) return null;
  const apply = (tagId: string, name: string, everywhere: boolean) =>
    onApply(
      everywhere ? 'Removing the tag' : 'Tagging',
      everywhere ? `“${name}” removed` : `Tagged “${name}”`,
      async ({ id }) => {
        // Tags are replaced whole: those that somebody else has put on since stay.
        const { tag_ids } = await readDocument(orgId, id);
        const next = everywhere ? tag_ids.filter((each) => each !== tagId) : [...new Set([...tag_ids, tagId])];
        return await patchDocument(orgId, id, { tag_ids: next });
      },
    );
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" size="small" disabled={disabled}>
          <Tags aria-hidden className="size-3.5" /> Tags
        </Button>
      }
    >
      <MenuLabel>Add or remove tags</MenuLabel>
      {tags.map((tag) => {
        const carrying = documents.filter(({ tag_ids }) => tag_ids.includes(tag.tag_id)).length;
        const everywhere = carrying === documents.length;
        return (
          <MenuCheck
            key={tag.tag_id}
            checked={everywhere ? true : carrying > 0 ? 'indeterminate' : false}
            onCheckedChange={() => void apply(tag.tag_id, tag.name, everywhere)}
          >
            <TagDot tag={tag} />
            <span className="min-w-0 flex-1 truncate">{tag.name}</span>
            {carrying > 0 && !everywhere && <span className="text-xs text-ink-faint tabular-nums">{carrying}</span>}
          </MenuCheck>
        );
      })}
    </Menu>
  );
}
