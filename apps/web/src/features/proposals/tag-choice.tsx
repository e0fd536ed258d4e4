import type { Proposal, Tag } from '@docwright/contract';
import { ChevronDown } from 'lucide-react';
import { TagDot } from '../../shared/labels/tag-chips.tsx';
import { Menu, MenuChoice, MenuChoices, MenuLabel } from '../../shared/ui/menu.tsx';
import { tagNameOf, type TagForKind } from './tag-for-kind.ts';

const none = 'none';
const asNew = 'new';

interface TagChoiceProps {
  proposal: Pick<Proposal, 'name'>;
  tags: readonly Tag[];
  value: TagForKind;
  onChange: (tag: TagForKind) => void;
}

/** The tag that documents and prompt get with a decision. */
export function TagChoice({ proposal, tags, value, onChange }: TagChoiceProps) {
  const newName = tagNameOf(proposal);
  const isTaken = tags.some(({ name }) => name.toLowerCase() === newName.toLowerCase());
  const chosen = value.kind === 'tag' ? tags.find(({ tag_id }) => tag_id === value.tagId) : undefined;
  const label = value.kind === 'new' ? `New: ${value.name}` : (chosen?.name ?? 'No tag');
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Tag: ${label}`}
          className="inline-flex h-7 max-w-56 items-center gap-1.5 rounded-md border border-line bg-raised px-2 text-sm hover:bg-hover max-md:h-10 max-md:w-full max-md:max-w-none"
        >
          {chosen && <TagDot tag={chosen} />}
          <span className="min-w-0 flex-1 truncate text-left">{label}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        </button>
      }
    >
      <MenuLabel>Tag on documents and prompt</MenuLabel>
      <MenuChoices
        value={value.kind === 'tag' ? value.tagId : value.kind}
        onValueChange={(next) => {
          if (next === none) onChange({ kind: 'none' });
          else if (next === asNew) onChange({ kind: 'new', name: newName });
          else onChange({ kind: 'tag', tagId: next });
        }}
      >
        {!isTaken && <MenuChoice value={asNew}>New tag: {newName}</MenuChoice>}
        {tags.map((tag) => (
          <MenuChoice key={tag.tag_id} value={tag.tag_id}>
            <TagDot tag={tag} /> <span className="truncate">{tag.name}</span>
          </MenuChoice>
        ))}
        <MenuChoice value={none}>No tag</MenuChoice>
      </MenuChoices>
    </Menu>
  );
}
