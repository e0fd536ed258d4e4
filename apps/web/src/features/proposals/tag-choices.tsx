import type { Proposal, Tag } from '@docwright/contract';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { MenuChoice, MenuChoices, MenuLabel } from '../../shared/ui/menu.tsx';
import { tagNameOf, type TagForKind } from './tag-for-kind.ts';

interface TagChoicesProps {
  /** Undefined while it loads. */
  proposal: Pick<Proposal, 'name'> | undefined;
  tags: readonly Tag[];
  value: TagForKind;
  onChange: (tag: TagForKind) => void;
}

/** The part of a menu that chooses the tag that documents and prompt get when a kind is accepted. */
export function TagChoices({ proposal, tags, value, onChange }: TagChoicesProps) {
  const newName = proposal ? tagNameOf(proposal) : '';
  const isTaken = tags.some(({ name }) => name.toLowerCase() === newName.toLowerCase());
  return (
    <>
      <MenuLabel>Tag on documents and prompt</MenuLabel>
      <MenuChoices
        value={value.kind === 'tag' ? value.tagId : value.kind}
        onValueChange={(next) => {
          if (next === 'none') onChange({ kind: 'none' });
          else if (next === 'new') onChange({ kind: 'new', name: newName });
          else onChange({ kind: 'tag', tagId: next });
        }}
      >
        {!isTaken && <MenuChoice value="new">New tag: {newName}</MenuChoice>}
        {tags.map((tag) => (
          <MenuChoice key={tag.tag_id} value={tag.tag_id}>
            <TagDot tag={tag} /> <span className="truncate">{tag.name}</span>
          </MenuChoice>
        ))}
        <MenuChoice value="none">No tag</MenuChoice>
      </MenuChoices>
    </>
  );
}
