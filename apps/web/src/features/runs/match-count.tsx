import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { matchingQuery, type MatchingBody } from '../../shared/api/runs-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useDebounced } from '../../shared/ui/browser/use-debounced.ts';
import { failedFields } from '../../shared/http/failed-fields.ts';
import { counted } from '../../shared/formats/counted.ts';

const debounceMs = 300;
const matchingFields = ['filter', 'prompt_id', 'max_documents'];

/** Counts the matching documents, a moment after the last change of the filter. */
export function useMatching(matching: MatchingBody) {
  const { orgId } = useSession();
  const current = JSON.stringify(matching);
  const requested = useDebounced(current, debounceMs);
  const matches = useQuery({
    ...matchingQuery(orgId, JSON.parse(requested) as MatchingBody),
    placeholderData: keepPreviousData,
  });
  return { ...matches, isCurrent: requested === current && !matches.isPlaceholderData && matches.isSuccess };
}

/** The server's errors about the filter, by field. */
export function matchingErrors({ error }: ReturnType<typeof useMatching>): Partial<Record<string, string>> {
  return failedFields(error, matchingFields).fields;
}

/** Shows “Matches 12 documents now.”, and how many of them one run takes. */
export function MatchCount({ matches }: { matches: ReturnType<typeof useMatching> }) {
  const { data, error, isCurrent } = matches;
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
            Matches <strong className="tabular-nums">{counted(data.matched, 'document')}</strong> now.
            {data.total < data.matched && ` One run works through the oldest ${data.total.toLocaleString()} of them.`}
          </>
        )}
      </span>
    </output>
  );
}
