import { memo, type ReactNode } from 'react';
import { CallStateIcon } from '../../../agent-ui/call-state-badge.tsx';
import { Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import type { CallStep, SetupEntry, AgentStep, SubAgentWork } from '../state/setup-state.ts';
import { partsOf, type AnswerPart } from '../state/setup-entries.ts';
import { callSentence } from '../state/setup-labels.ts';
import { SubAgentCard } from './sub-agent-card.tsx';
import { ConversationLog, SentMessage } from '../../../agent-ui/conversation-log.tsx';

interface SetupMessagesProps {
  entries: SetupEntry[];
  /** Shown before the first message. */
  above: ReactNode;
  /** Shown after the last message: the progress, a question or an error. */
  children: ReactNode;
}

export function SetupMessages({ entries, above, children }: SetupMessagesProps) {
  return (
    <ConversationLog sentMessages={entries.filter(({ kind }) => kind === 'user').length}>
      {above}
      {/* Keys are indexes, so that opened details stay open when the stored message replaces the streamed one. */}
      {entries.map((entry, at) =>
        entry.kind === 'user' ? (
          <SentMessage key={at} text={entry.text} />
        ) : (
          <AgentMessage key={at} text={entry.text} steps={entry.steps} />
        ),
      )}
      {children}
    </ConversationLog>
  );
}

const AgentMessage = memo(function AgentMessage({ text, steps }: { text: string; steps: readonly AgentStep[] }) {
  return (
    <article aria-label="Agent" className="flex min-w-0 flex-col gap-2">
      {groupsOf(partsOf(text, steps)).map((group, at) =>
        group.kind === 'text' ? (
          <Markdown key={at} text={group.text} />
        ) : group.kind === 'subagents' ? (
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
    </article>
  );
});

type Group =
  | { kind: 'subagents'; steps: SubAgentWork[] }
  | { kind: 'calls'; steps: CallStep[] }
  | { kind: 'text'; text: string };

/** Groups consecutive calls into a list, and consecutive sub-agents side by side. */
function groupsOf(parts: readonly AnswerPart[]): Group[] {
  const groups: Group[] = [];
  for (const step of parts) {
    const last = groups.at(-1);
    if (step.kind === 'text') groups.push(step);
    else if (step.kind === 'call') {
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
