import { useQuery } from '@tanstack/react-query';
import { promptListQuery } from '../api/prompts-api.ts';
import { useSession } from '../session/session.tsx';

/** The prompts that changed last, to choose from and to name others by. */
export function useNewestPrompts() {
  const { orgId } = useSession();
  return useQuery(promptListQuery(orgId, { skip: 0, limit: 100 })).data;
}

/** The names of prompts by their ids. */
export function usePromptName(): (id: string) => string {
  const prompts = useNewestPrompts()?.prompts;
  return (id) => {
    if (prompts === undefined) return '…';
    return prompts.find(({ prompt_id }) => prompt_id === id)?.name ?? 'an unlisted prompt';
  };
}
