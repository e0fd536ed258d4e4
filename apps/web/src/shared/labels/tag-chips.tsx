import type { Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '../api/library-api.ts';
import { useSession } from '../session/session.tsx';

/** A document's tags, each with a dot in its colour. */
export function TagChips({ tagIds }: { tagIds: string[] }) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const existingTags = tagIds.map((id) => tags.find((tag) => tag.tag_id === id)).filter((tag) => tag !== undefined);
  if (existingTags.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-1" aria-label="Tags">
      {existingTags.map((tag) => (
        <li key={tag.tag_id} className="inline-flex max-w-40 items-center gap-1 rounded-full bg-sunken px-2 text-xs">
          <TagDot tag={tag} />
          <span className="truncate">{tag.name}</span>
        </li>
      ))}
    </ul>
  );
}

export function TagDot({ tag }: { tag: Pick<Tag, 'color'> }) {
  return <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: tag.color }} />;
}
