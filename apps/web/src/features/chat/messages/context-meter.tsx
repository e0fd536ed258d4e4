import type { TurnContext } from '@docwright/contract';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Tip } from '../../../shared/ui/tip.tsx';

/** How much of the conversation the model is still given: a turn begins with at most the last `max_messages`. */
export function ContextMeter({ context: { tokens, messages, max_messages } }: { context: TurnContext }) {
  const part = Math.min(1, messages / max_messages);
  const full = messages >= max_messages;
  const words = full ? 'Context full' : `Context ${messages} of ${max_messages}`;
  const hint = full
    ? `The model is given the last ${max_messages} messages, and not what was said before them. Begin a new conversation for something else.`
    : `The model is given the last ${max_messages} messages; there are ${messages}.`;
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
