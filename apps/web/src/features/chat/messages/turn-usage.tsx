import type { TurnContext, Usage } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../../shared/api/account/organization-api.ts';
import { atLeast, type Tokens } from '../turn/usage-sum.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Tip } from '../../../shared/ui/tip.tsx';

interface TurnUsageProps {
  orgId: string;
  threadId: string | undefined;
  /** Usage of the last turn. */
  usage: Usage | undefined;
  context: TurnContext | undefined;
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });

/** Rounded tokens, with exact numbers in the tooltip. */
function Amount({ of, label, unit = '' }: { of: Tokens; label: string; unit?: string }) {
  const { prompt_tokens, completion_tokens, cached_tokens, spu } = of;
  const cached = cached_tokens === undefined ? '' : ` (${cached_tokens.toLocaleString()} of them cached)`;
  const exact = `${prompt_tokens.toLocaleString()} tokens in${cached}, ${completion_tokens.toLocaleString()} out, ${spu.toLocaleString()} service processing units`;
  return (
    <span title={`${label}: ${exact}`}>
      {label} {compact.format(prompt_tokens + completion_tokens)}
      {unit}
    </span>
  );
}

/**
 * The cost of the last turn and of the conversation, and how full the context is. The row has its height before its numbers
 * arrive, so that they do not move the cards above it.
 */
export function TurnUsage({ orgId, threadId, usage, context }: TurnUsageProps) {
  const threads = useQuery({ ...usageQuery(orgId), enabled: threadId !== undefined }).data?.by_thread;
  const thread = threads?.find(({ thread_id }) => thread_id === threadId);
  return (
    <div className="@container shrink-0 bg-surface px-3 py-1.5">
      <div className="flex min-h-8 flex-wrap content-end items-center gap-x-3 text-xs text-ink-faint tabular-nums @min-[27rem]:min-h-4">
        {usage && <Amount label="This answer" of={usage} unit=" tokens" />}
        {thread && <Amount label="Conversation" of={atLeast(thread, usage)} {...(usage ? {} : { unit: ' tokens' })} />}
        {context && <ContextMeter context={context} />}
      </div>
    </div>
  );
}

/** How full the context is: a turn starts with at most the last `max_messages` messages. */
function ContextMeter({ context: { tokens, messages, max_messages } }: { context: TurnContext }) {
  const share = Math.min(1, messages / max_messages);
  const full = messages >= max_messages;
  const hint = full
    ? `The model sees the last ${max_messages} messages, not earlier ones. Start a new conversation for another subject.`
    : `The model sees the last ${max_messages} messages; there are ${messages}.`;
  return (
    <Tip text={`${hint} The last call took ${tokens.toLocaleString()} tokens.`}>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="hidden h-1 w-10 overflow-hidden rounded-full bg-line @min-[34rem]:block">
          <span
            className={classNames('block h-full rounded-full', full ? 'bg-warn' : 'bg-accent')}
            style={{ width: `${share * 100}%` }}
          />
        </span>
        {full ? (
          'Context full'
        ) : (
          <span>
            {messages} of {max_messages}
            <span className="sr-only @min-[34rem]:not-sr-only"> messages</span> in context
          </span>
        )}
      </span>
    </Tip>
  );
}
