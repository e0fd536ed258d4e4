import { ArrowDown } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { CallStateIcon } from '../../../agent-ui/call-state-badge.tsx';
import { Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import { useEndOfList } from '../../../agent-ui/use-end-of-list.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { scrolledByKeys } from '../../../shared/ui/scroll-box.tsx';
import type { CallStep, SetupEntry, Step, SubAgentStep } from '../state/setup-state.ts';
import { callSentence } from '../state/setup-labels.ts';
import { SubAgentCard } from './sub-agent-card.tsx';

interface SetupMessagesProps {
  entries: SetupEntry[];
  /** Shown before the first message. */
  above: ReactNode;
  /** Shown after the last message: the progress, a question or an error. */
  children: ReactNode;
}

/** The messages. The list follows new content until the user scrolls up, and then offers “Latest”. */
export function SetupMessages({ entries, above, children }: SetupMessagesProps) {
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useEndOfList(
    entries.filter(({ kind }) => kind === 'person').length,
  );
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scrollRef} {...scrolledByKeys} className="h-full overflow-y-auto -outline-offset-2">
        <div ref={contentRef} role="log" aria-label="Conversation" className="flex flex-col gap-2 p-4">
          {above}
          {/* Keys are indexes, so that opened details stay open when the stored message replaces the streamed one. */}
          {entries.map((entry, at) =>
            entry.kind === 'person' ? (
              <article
                key={at}
                aria-label="You"
                className="mt-3 mb-1 ml-8 min-w-0 self-end rounded-lg rounded-br-sm bg-accent-soft px-3 py-2 first:mt-0"
              >
                <p className="whitespace-pre-wrap wrap-anywhere">{entry.text}</p>
              </article>
            ) : (
              <AgentMessage key={at} text={entry.text} steps={entry.steps} />
            ),
          )}
          {children}
        </div>
      </div>
      {!isAtBottom && (
        <Button
          size="small"
          onClick={() => void scrollToBottom()}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
        >
          <ArrowDown aria-hidden className="size-4" /> Latest
        </Button>
      )}
    </div>
  );
}

const AgentMessage = memo(function AgentMessage({ text, steps }: { text: string; steps: readonly Step[] }) {
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
      {groupsOf(steps).map((group, at) =>
        group.kind === 'subagents' ? (
          <div key={at} className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-start gap-2">
            {group.steps.map((step, place) => (
              <SubAgentCard key={place} step={step} />
            ))}
          </div>
        ) : (
          <ul
            key={at}
            aria-label="What was done"
            className="flex flex-col rounded-md border border-line bg-raised py-0.5 text-sm"
          >
            {group.steps.map((step, place) => (
              <Call key={place} step={step} />
            ))}
          </ul>
        ),
      )}
      {text !== '' && <Markdown text={text} />}
    </article>
  );
});

type Group = { kind: 'subagents'; steps: SubAgentStep[] } | { kind: 'calls'; steps: CallStep[] };

/** Groups consecutive calls into a list, and consecutive sub-agents side by side. */
function groupsOf(steps: readonly Step[]): Group[] {
  const groups: Group[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.kind === 'call') {
      if (last?.kind === 'calls') last.steps.push(step);
      else groups.push({ kind: 'calls', steps: [step] });
    } else if (last?.kind === 'subagents') last.steps.push(step);
    else groups.push({ kind: 'subagents', steps: [step] });
  }
  return groups;
}

/** A call described in words, with its arguments folded. */
function Call({ step }: { step: CallStep }) {
  const { state, error } = step;
  return (
    <li className="px-2.5 py-1">
      <div className="flex items-center gap-2">
        <CallStateIcon state={state} />
        <span className="min-w-0 flex-1 wrap-anywhere">{callSentence(step)}</span>
      </div>
      {error !== undefined && <p className="pl-6 text-xs text-bad wrap-anywhere">{error}</p>}
      {Object.keys(step.arguments).length > 0 && (
        <div className="pl-6">
          <RawJson label="Arguments" value={step.arguments} />
        </div>
      )}
    </li>
  );
}
