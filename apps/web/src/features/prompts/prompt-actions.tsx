import type { Prompt } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deletePrompt, presentPrompt, promptsKey, updatePrompt } from '../../shared/api/prompts-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { ArtifactActions } from '../library/index.ts';
import { useToast } from '../../shared/ui/toasts.tsx';
import { asSeen } from '../../shared/http/seen-state.ts';

export function PromptActions({ prompt, onDeleted }: { prompt: Prompt; onDeleted?: () => void }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const navigate = useNavigate();
  return (
    <ArtifactActions
      kind="prompt"
      name={prompt.name}
      consequence="It no longer applies to documents. Its versions and extractions stay readable."
      onEdit={() => void navigate({ to: '/prompts/$promptId/edit', params: { promptId: prompt.prompt_id } })}
      presentName={async () => (await presentPrompt(orgId, prompt.prompt_id))?.name}
      rename={async (name, former) => {
        await updatePrompt(orgId, prompt.prompt_id, asSeen({ name }, { name: former }));
        await queryClient.invalidateQueries({ queryKey: promptsKey(orgId) });
      }}
      remove={async () => {
        await deletePrompt(orgId, prompt.prompt_id);
        toast(`“${prompt.name}” is deleted.`);
        onDeleted?.();
        await queryClient.invalidateQueries({
          queryKey: promptsKey(orgId),
          predicate: ({ queryKey }) => queryKey[2] !== 'versions',
        });
      }}
    />
  );
}
