import { memo, type ReactNode } from 'react';
import { CallLine, CallList } from '../../../agent-ui/call-list.tsx';
import { LazyMarkdown } from '../../../agent-ui/markdown/lazy-markdown.tsx';
import { Attachments } from './attachments.tsx';
import type { CallEntry, EntryOutcome, ConversationEntry } from '../state/conversation-entries.ts';
import { AgentAnswer, ConversationLog, SentMessage } from '../../../agent-ui/conversation-log.tsx';

interface DesignerMessagesProps {
  entries: ConversationEntry[];
  labels: Record<string, string>;
  /** Shows a pending change in the table. */
  onShow: (callId: string) => void;
  /** Shown after the last message: requests, progress and errors. */
  children: ReactNode;
}

export function DesignerMessages({ entries, labels, onShow, children }: DesignerMessagesProps) {
  return (
    <ConversationLog sentMessages={entries.filter(({ kind }) => kind === 'user').length}>
      {entries.map((entry, index) =>
        entry.kind === 'user' ? (
          <SentMessage key={index} text={entry.text}>
            <Attachments documents={entry.documents} images={entry.images} />
          </SentMessage>
        ) : (
          <AgentAnswer key={index}>
            {entry.text !== '' && <AgentText text={entry.text} />}
            {entry.calls.length > 0 && (
              <CallList>
                {entry.calls.map((call) => (
                  <Call key={call.id} call={call} label={labels[call.id] ?? call.function.name} onShow={onShow} />
                ))}
              </CallList>
            )}
          </AgentAnswer>
        ),
      )}
      {children}
    </ConversationLog>
  );
}

const AgentText = memo(function AgentText({ text }: { text: string }) {
  return <LazyMarkdown text={text} />;
});

const states = { waiting: 'waiting', done: 'done', failed: 'failed', declined: 'rejected' } as const;
const outcomeLabels: Record<EntryOutcome, string> = {
  waiting: 'Waiting for you',
  done: 'Done',
  failed: 'Failed',
  declined: 'Declined',
};
const requestTools = new Set(['ask_questions', 'request_example_image']);

/** A call in one line; a pending one links to its row in the table. */
function Call({ call, label, onShow }: { call: CallEntry; label: string; onShow: (callId: string) => void }) {
  const { outcome } = call;
  const isLink = outcome === 'waiting' && !requestTools.has(call.function.name);
  return (
    <CallLine
      state={states[outcome]}
      label={label}
      aside={<span className="shrink-0 text-xs text-ink-faint">{isLink ? 'Show' : outcomeLabels[outcome]}</span>}
      onOpen={isLink ? () => onShow(call.id) : undefined}
      error={call.error}
    >
      {call.answers.map((answer, index) => (
        <p key={index} className="text-ink-soft">
          {answer}
        </p>
      ))}
      {call.images.length > 0 && <Attachments documents={[]} images={call.images} />}
    </CallLine>
  );
}
