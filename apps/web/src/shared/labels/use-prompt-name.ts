import { useQuery } from '@tanstack/react-query';
import { promptListQuery } from '../api/prompts-api.ts';
import { useSession } from '../session/session.tsx';

/** The 100 prompts that changed last. */
export function useNewestPrompts() {
  const { orgId } = useSession();
  return useQuery(promptListQuery(orgId, { skip: 0, limit: 100 })).data;
}

/** Returns a function from a prompt id to a name. */
export function usePromptName(): (id: string) => string {
  const prompts = useNewestPrompts()?.prompts;
  return (id) => {
    if (prompts === undefined) return '…';
    return prompts.find(({ prompt_id }) => prompt_id === id)?.name ?? 'an unlisted prompt';
  };
}
