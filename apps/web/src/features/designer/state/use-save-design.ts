import type { Schema } from '@docwright/contract';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { saveColumns } from '../../../shared/api/schema-chat-api.ts';
import { schemasKey } from '../../../shared/api/schemas-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import type { Design } from './designer-state.ts';

interface SaveListeners {
  /** At once. */
  onSaved: (saved: Schema) => void;
  /** Once the lists of schemas are read anew. */
  onRead: (saved: Schema) => Promise<void>;
}

/** Stores the columns: as a new schema, or as a further version of the one that they come from. */
export function useSaveDesign(
  former: { schema_id: string } | undefined,
  { onSaved, onRead }: SaveListeners,
): UseMutationResult<Schema, Error, Design> {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, columns, multiRow }: Design) =>
      saveColumns(orgId, {
        name: name.trim(),
        columns,
        multi_row: multiRow,
        ...(former === undefined ? {} : { schema_id: former.schema_id }),
      }),
    onSuccess: async (saved) => {
      onSaved(saved);
      await queryClient.invalidateQueries({ queryKey: schemasKey(orgId) });
      await onRead(saved);
    },
  });
}
