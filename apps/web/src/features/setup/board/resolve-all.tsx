import type { Uncertainty } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../shared/http/api-error.ts';
import { conversationKey, resolveUncertainty } from '../../../shared/api/pipeline-agent-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';

interface ResolveAllProps {
  /** None of them blocks. */
  uncertainties: Uncertainty[];
  conversationId: string;
  onResolved: (more: number) => void;
}

/** Takes note of many at once, one after the other; where one is refused, those before it stay resolved. */
export function ResolveAll({ uncertainties, conversationId, onResolved }: ResolveAllProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const resolving = useMutation({
    mutationFn: async () => {
      for (const { id } of uncertainties) await resolveUncertainty(orgId, conversationId, id, 'user_confirmed');
    },
    onSuccess: () => onResolved(uncertainties.length),
    onError: (error) => toast(messageOf(error), 'bad'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: conversationKey(orgId, conversationId) }),
  });
  return (
    <Button size="small" className="self-start" disabled={resolving.isPending} onClick={() => resolving.mutate()}>
      {resolving.isPending ? 'Resolving…' : `All ${uncertainties.length} are fine as they are`}
    </Button>
  );
}
