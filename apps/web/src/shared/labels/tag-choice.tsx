import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '../api/library-api.ts';
import { useSession } from '../session/session.tsx';
import { Chip, Chips, withToggled } from '../ui/fields/chips.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TagDot } from './tag-chips.tsx';

interface TagChoiceProps {
  legend: string;
  note: string;
  error?: string | undefined;
  value: readonly string[];
  onChange: (tagIds: string[]) => void;
}

/** Chooses any number of tags. */
export function TagChoice({ legend, note, error, value, onChange }: TagChoiceProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  // A tag that was deleted can still be removed.
  const unlisted = tags === undefined ? [] : value.filter((id) => !tags.some(({ tag_id }) => tag_id === id));
  const toggle = (id: string) => onChange(withToggled(value, id));
  return (
    <Chips legend={legend} note={tags?.length === 0 ? 'There are no tags yet.' : note} error={error}>
      {tags === undefined && <Skeleton className="h-8 w-24" />}
      {tags?.map((tag) => (
        <Chip key={tag.tag_id} checked={value.includes(tag.tag_id)} onChange={() => toggle(tag.tag_id)}>
          <TagDot tag={tag} />
          <span className="truncate">{tag.name}</span>
        </Chip>
      ))}
      {unlisted.map((id) => (
        <Chip key={id} checked onChange={() => toggle(id)}>
          A tag that is not listed
        </Chip>
      ))}
    </Chips>
  );
}
