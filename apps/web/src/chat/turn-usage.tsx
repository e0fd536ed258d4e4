import type { OrganizationUsage, Usage } from '@docwright/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../api/http.ts';

export const usageKey = (orgId: string) => ['usage', orgId];

const usageQuery = (orgId: string) =>
  queryOptions({
    queryKey: usageKey(orgId),
    queryFn: ({ signal }) => requestJson<OrganizationUsage>(`/v0/orgs/${orgId}/usage`, { signal }),
  });

interface TurnUsageProps {
  orgId: string;
  threadId: string | undefined;
  /** Of the last turn. */
  usage: Usage | undefined;
}

type Tokens = Pick<Usage, 'prompt_tokens' | 'completion_tokens' | 'spu'>;

const words = ({ prompt_tokens, completion_tokens, spu }: Tokens) =>
  `${(prompt_tokens + completion_tokens).toLocaleString()} tokens · ${spu.toLocaleString()} SPU`;

/** What the last turn and the whole conversation took: tokens and service processing units. */
export function TurnUsage({ orgId, threadId, usage }: TurnUsageProps) {
  const threads = useQuery({ ...usageQuery(orgId), enabled: threadId !== undefined }).data?.by_thread;
  const thread = threads?.find(({ thread_id }) => thread_id === threadId);
  if (!usage && !thread) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-ink-faint tabular-nums">
      {usage && <span>Last turn: {words(usage)}</span>}
      {thread && <span>Conversation: {words(thread)}</span>}
    </p>
  );
}
