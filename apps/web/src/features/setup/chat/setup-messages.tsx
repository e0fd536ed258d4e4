import { memo, type ReactNode } from 'react';
import { CallLine, CallList } from '../../../agent-ui/call-list.tsx';
import { LazyMarkdown } from '../../../agent-ui/markdown/lazy-markdown.tsx';
import { RawJson } from '../../../agent-ui/raw-json.tsx';
import type { CallStep, SetupEntry, AgentStep, SubAgentWork } from '../state/setup-state.ts';
import { partsOf, type AnswerPart } from '../state/setup-entries.ts';
import { callSentence } from '../state/setup-labels.ts';
import { SubAgentCard } from './sub-agent-card.tsx';
import { AgentAnswer, ConversationLog, SentMessage } from '../../../agent-ui/conversation-log.tsx';

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
          <Answer key={at} text={entry.text} steps={entry.steps} />
        ),
      )}
      {children}
    </ConversationLog>
  );
}

const Answer = memo(function Answer({ text, steps }: { text: string; steps: readonly AgentStep[] }) {
  return (
    <AgentAnswer>
      {groupsOf(partsOf(text, steps)).map((group, at) =>
        group.kind === 'text' ? (
          <LazyMarkdown key={at} text={group.text} />
        ) : group.kind === 'subagents' ? (
          <div key={at} className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-start gap-2">
            {group.steps.map((step, place) => (
              <SubAgentCard key={place} step={step} />
            ))}
          </div>
        ) : (
          <CallList key={at}>
            {group.steps.map((step, place) => (
              <Call key={place} step={step} />
            ))}
          </CallList>
        ),
      )}
    </AgentAnswer>
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
  return (
    <CallLine state={step.state} label={callSentence(step)} error={step.error}>
      {Object.keys(step.arguments).length > 0 && <RawJson label="Arguments" value={step.arguments} />}
    </CallLine>
  );
}
