import type { OrganizationUsage, TurnContext, Usage } from '@docwright/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../../../shared/http/http.ts';
import { ContextMeter } from './context-meter.tsx';
import { atLeast, type Tokens } from '../turn/usage-sum.ts';

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
  context: TurnContext | undefined;
}

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });

/** Short to look at, exact to point at. */
function Amount({ of, label }: { of: Tokens; label: string }) {
  const { prompt_tokens, completion_tokens, spu } = of;
  const exact = `${prompt_tokens.toLocaleString()} tokens in, ${completion_tokens.toLocaleString()} out, ${spu.toLocaleString()} service processing units`;
  return (
    <span title={`${label}: ${exact}`}>
      {label} {short.format(prompt_tokens + completion_tokens)} tokens · {short.format(spu)} SPU
    </span>
  );
}

/** What the last turn and the whole conversation took: tokens and service processing units. */
export function TurnUsage({ orgId, threadId, usage, context }: TurnUsageProps) {
  const threads = useQuery({ ...usageQuery(orgId), enabled: threadId !== undefined }).data?.by_thread;
  const thread = threads?.find(({ thread_id }) => thread_id === threadId);
  if (!usage && !thread && !context) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-xs text-ink-faint tabular-nums">
      {usage && <Amount label="Turn" of={usage} />}
      {thread && <Amount label="All" of={atLeast(thread, usage)} />}
      {context && <ContextMeter context={context} />}
    </div>
  );
}
