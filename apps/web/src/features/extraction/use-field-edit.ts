import type { Extraction } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../shared/http/api-error.ts';
import { extractionsQuery, patchExtraction } from '../../shared/api/extractions-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { replaceExtraction } from './replace-extraction.ts';

interface FieldEdit {
  save: (path: string, value: unknown) => Promise<void>;
}

/** Changes one field on the version that the person saw; somebody else's change in between is said, not overwritten. */
export function useFieldEdit(extraction: Extraction): FieldEdit {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const { queryKey } = extractionsQuery(orgId, extraction.document_id);
  const change = useMutation({
    mutationFn: ({ path, value }: { path: string; value: unknown }) =>
      patchExtraction(orgId, extraction.document_id, {
        promptRevid: extraction.prompt_revid,
        path,
        value,
        base_version: extraction.version,
      }),
    onSuccess: (changed) => replaceExtraction(queryClient, orgId, changed),
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) await queryClient.invalidateQueries({ queryKey });
    },
  });
  return {
    save: async (path, value) => {
      try {
        await change.mutateAsync({ path, value });
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) {
          throw new Error(
            'This extraction changed meanwhile. The newest values are shown now; save again to keep yours.',
            {
              cause: error,
            },
          );
        }
        throw error;
      }
    },
  };
}
