import type { OrganizationUsage, TurnContext, Usage } from '@docwright/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestJson } from '../../../shared/http/http.ts';
import { atLeast, type Tokens } from '../turn/usage-sum.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Tip } from '../../../shared/ui/tip.tsx';

export const turnUsageKey = (orgId: string) => ['usage', orgId];

const usageQuery = (orgId: string) =>
  queryOptions({
    queryKey: turnUsageKey(orgId),
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
  const { prompt_tokens, completion_tokens, cached_tokens, spu } = of;
  const cached = cached_tokens === undefined ? '' : ` (${cached_tokens.toLocaleString()} of them cached)`;
  const exact = `${prompt_tokens.toLocaleString()} tokens in${cached}, ${completion_tokens.toLocaleString()} out, ${spu.toLocaleString()} service processing units`;
  return (
    <span title={`${label}: ${exact}`}>
      {label} {short.format(prompt_tokens + completion_tokens)} tokens
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
      {usage && <Amount label="This answer" of={usage} />}
      {thread && <Amount label="Conversation" of={atLeast(thread, usage)} />}
      {context && <ContextMeter context={context} />}
    </div>
  );
}

/** How much of the conversation the model is still given: a turn begins with at most the last `max_messages`. */
function ContextMeter({ context: { tokens, messages, max_messages } }: { context: TurnContext }) {
  const part = Math.min(1, messages / max_messages);
  const full = messages >= max_messages;
  const words = full ? 'Context full' : `${messages} of ${max_messages} messages in context`;
  const hint = full
    ? `The model sees the last ${max_messages} messages, not earlier ones. Start a new conversation for another subject.`
    : `The model sees the last ${max_messages} messages; there are ${messages}.`;
  return (
    <Tip text={`${hint} The last call took ${tokens.toLocaleString()} tokens.`}>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="h-1 w-10 overflow-hidden rounded-full bg-line">
          <span
            className={classNames('block h-full rounded-full', full ? 'bg-warn' : 'bg-accent')}
            style={{ width: `${part * 100}%` }}
          />
        </span>
        <span>{words}</span>
      </span>
    </Tip>
  );
}
