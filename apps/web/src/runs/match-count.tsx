import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { useEffect, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { matchingQuery, type Matching } from '../api/runs-api.ts';
import { useSession } from '../identity/session.tsx';

const restMs = 300;

/** How many documents match now; asked for when the filter has rested for a moment. */
export function useMatching(matching: Matching) {
  const { orgId } = useSession();
  const wanted = JSON.stringify(matching);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), restMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const counted = useQuery({
    ...matchingQuery(orgId, JSON.parse(asked) as Matching),
    placeholderData: keepPreviousData,
  });
  return { ...counted, isCurrent: asked === wanted && !counted.isPlaceholderData && counted.isSuccess };
}

export const documentCount = (count: number): string =>
  count === 1 ? '1 document' : `${count.toLocaleString()} documents`;

/** "Matches 12 documents now", and how many of them one run takes. */
export function MatchCount({ counted }: { counted: ReturnType<typeof useMatching> }) {
  const { data, error, isCurrent } = counted;
  return (
    <output
      aria-busy={!isCurrent}
      className="flex min-h-9 items-start gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm [&>svg]:mt-px [&>svg]:text-accent"
    >
      <Files aria-hidden className="size-4 shrink-0" />
      <span>
        {error !== null && messageOf(error)}
        {error === null && data === undefined && 'Counting…'}
        {error === null && data !== undefined && (
          <>
            Matches <strong className="tabular-nums">{documentCount(data.matched)}</strong> now.
            {data.total < data.matched && ` One run works through the oldest ${data.total.toLocaleString()} of them.`}
          </>
        )}
      </span>
    </output>
  );
}
