import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { useEffect, useState } from 'react';
import { matchingQuery, type Matching } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { failedFields } from '../../shared/http/failed-fields.ts';

const restMs = 300;
const matchingFields = ['filter', 'prompt_id', 'max_documents'];

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

export const matchingCount = (count: number): string =>
  count === 1 ? '1 document' : `${count.toLocaleString()} documents`;

/** What was said against the filter, at its field; nothing of a filter that has changed since. */
export function matchingErrors({ error }: ReturnType<typeof useMatching>): Partial<Record<string, string>> {
  return failedFields(error, matchingFields).fields;
}

/** "Matches 12 documents now", and how many of them one run takes. */
export function MatchCount({ counted }: { counted: ReturnType<typeof useMatching> }) {
  const { data, error, isCurrent } = counted;
  const { other } = failedFields(error, matchingFields);
  return (
    <output
      aria-busy={!isCurrent}
      className="flex min-h-9 items-start gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm [&>svg]:mt-px [&>svg]:text-accent"
    >
      <Files aria-hidden className="size-4 shrink-0" />
      <span>
        {error !== null && (other ?? 'Fix the errors above to see how many match.')}
        {error === null && data === undefined && 'Counting…'}
        {error === null && data !== undefined && (
          <>
            Matches <strong className="tabular-nums">{matchingCount(data.matched)}</strong> now.
            {data.total < data.matched && ` One run works through the oldest ${data.total.toLocaleString()} of them.`}
          </>
        )}
      </span>
    </output>
  );
}
