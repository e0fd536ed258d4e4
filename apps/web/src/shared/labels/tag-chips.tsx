import type { Tag } from '@docwright/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { tagQuery, tagsQuery } from '../api/library-api.ts';
import { useSession } from '../session/session.tsx';

/** A document's tags, each with a dot in its colour. */
export function TagChips({ tagIds }: { tagIds: string[] }) {
  const { orgId } = useSession();
  const listed = useQuery(tagsQuery(orgId)).data?.tags;
  // A tag is not in the list if it is newer than the list, or if there are more than one list holds.
  const unlisted = listed === undefined ? [] : tagIds.filter((id) => !listed.some((tag) => tag.tag_id === id));
  const others = useQueries({ queries: unlisted.map((id) => tagQuery(orgId, id)) });
  const tags = [...(listed ?? []), ...others.flatMap(({ data }) => data ?? [])];
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
