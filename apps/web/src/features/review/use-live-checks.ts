import type { DataValidation, ReviewItem } from '@docwright/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { requestJson } from '../../shared/http/http.ts';
import { useSession } from '../../shared/session/session.tsx';
import { checkMessages } from '../../shared/values/review-labels.ts';
import { resultWith } from './result-with.ts';
import type { GroupValues } from './use-group-values.ts';
import type { Decided } from './use-review.ts';

/** After the last key. */
const afterMs = 150;

interface LiveChecks {
  item: ReviewItem;
  values: GroupValues;
  /** What is decided about the document already, the latest first. */
  decided: readonly Decided[];
  /** Undefined while what is typed is no value. */
  value: string | number | boolean | null | undefined;
}

/** The messages of the schema's checks that the value would fail as it is typed; undefined until the server has answered. */
export function useLiveChecks({ item, values, decided, value }: LiveChecks): readonly string[] | undefined {
  const { orgId } = useSession();
  const { extraction, schemaRevid, hasChecks } = values;
  const { document_id, path } = item;
  const answer = useQuery({
    queryKey: ['review', orgId, 'checks', document_id, extraction?.version, decided.length, path, value],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      signal.throwIfAborted();
      const data = resultWith(extraction?.result, decided, path, value);
      const url = `/v0/orgs/${orgId}/schemas/${schemaRevid}/validate`;
      return await requestJson<DataValidation>(url, { method: 'POST', body: { data }, signal });
    },
    enabled: hasChecks && value !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  }).data;
  return answer && checkMessages(path, answer.failed_checks);
}
