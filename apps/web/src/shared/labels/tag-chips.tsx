import type { Tag } from '@docwright/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { tagQuery, tagsQuery } from '../api/library-api.ts';
import { counted } from '../formats/counted.ts';
import { useSession } from '../session/session.tsx';

/** More tags would make a row of a list longer than the window. */
const shownTags = 8;

/** A document's tags, each with a dot in its colour. Of many, the first ones and how many more they are. */
export function TagChips({ tagIds }: { tagIds: string[] }) {
  const { orgId } = useSession();
  const listed = useQuery(tagsQuery(orgId)).data?.tags;
  const shown = tagIds.slice(0, shownTags);
  // A tag is not in the list if it is newer than the list, or if there are more than one list holds.
  const unlisted = listed === undefined ? [] : shown.filter((id) => !listed.some((tag) => tag.tag_id === id));
  const others = useQueries({ queries: unlisted.map((id) => tagQuery(orgId, id)) });
  const tags = [...(listed ?? []), ...others.flatMap(({ data }) => data ?? [])];
  const existingTags = shown.map((id) => tags.find((tag) => tag.tag_id === id)).filter((tag) => tag !== undefined);
  if (existingTags.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-1" aria-label="Tags">
      {existingTags.map((tag) => (
        <li key={tag.tag_id} className="inline-flex max-w-40 items-center gap-1 rounded-full bg-sunken px-2 text-xs">
          <TagDot tag={tag} />
          <span className="truncate">{tag.name}</span>
        </li>
      ))}
      {tagIds.length > shown.length && (
        <li className="px-1 text-xs text-ink-soft">and {counted(tagIds.length - shown.length, 'more tag')}</li>
      )}
    </ul>
  );
}

export function TagDot({ tag }: { tag: Pick<Tag, 'color'> }) {
  return <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: tag.color }} />;
}
