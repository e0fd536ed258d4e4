import type { Extraction, extractionList } from '@docwright/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { extractionsQuery } from '../../shared/api/extractions-api.ts';

/** Shows an extraction that the server has just returned, unless a newer version is shown already. */
export function replaceExtraction(queryClient: QueryClient, orgId: string, changed: Extraction): void {
  const { queryKey } = extractionsQuery(orgId, changed.document_id);
  queryClient.setQueryData<z.infer<typeof extractionList>>(queryKey, (list) => {
    if (!list) return list;
    const extractions = list.extractions.map((each) =>
      each.prompt_revid === changed.prompt_revid && each.version <= changed.version ? changed : each,
    );
    return { ...list, extractions };
  });
}
