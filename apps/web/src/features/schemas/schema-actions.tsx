import type { Schema } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteSchema, schemaName, schemasKey, updateSchema } from '../../shared/api/schemas-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { ArtifactActions } from '../library/index.ts';
import { useToast } from '../../shared/ui/toasts.tsx';
import { asSeen } from '../../shared/http/seen-state.ts';

export function SchemaActions({ schema, onDeleted }: { schema: Schema; onDeleted?: () => void }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const navigate = useNavigate();
  const refresh = () => queryClient.invalidateQueries({ queryKey: schemasKey(orgId) });
  return (
    <ArtifactActions
      kind="schema"
      name={schema.name}
      consequence="You can no longer choose it. Its versions stay readable for existing extractions."
      onEdit={() => void navigate({ to: '/schemas/$schemaId/edit', params: { schemaId: schema.schema_id } })}
      presentName={() => schemaName(orgId, schema.schema_id)}
      rename={async (name, former) => {
        await updateSchema(orgId, schema.schema_id, asSeen({ name }, { name: former }));
        await refresh();
      }}
      remove={async () => {
        await deleteSchema(orgId, schema.schema_id);
        toast(`“${schema.name}” is deleted.`);
        onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: [...schemasKey(orgId), 'list'] });
      }}
    />
  );
}
