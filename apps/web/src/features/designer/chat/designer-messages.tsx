import { memo, type ReactNode } from 'react';
import { CallStateIcon } from '../../../agent-ui/call-state-badge.tsx';
import { Markdown } from '../../../agent-ui/markdown/markdown.tsx';
import { Attachments } from './attachments.tsx';
import type { CallEntry, EntryOutcome, ConversationEntry } from '../state/conversation-entries.ts';
import { ConversationLog, SentMessage } from '../../../agent-ui/conversation-log.tsx';

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
          <article key={index} aria-label="Agent" className="flex min-w-0 flex-col gap-2">
            {entry.text !== '' && <AgentText text={entry.text} />}
            {entry.calls.length > 0 && (
              <ul className="flex flex-col rounded-md border border-line bg-raised py-0.5 text-sm">
                {entry.calls.map((call) => (
                  <Call key={call.id} call={call} label={labels[call.id] ?? call.function.name} onShow={onShow} />
                ))}
              </ul>
            )}
          </article>
        ),
      )}
      {children}
    </ConversationLog>
  );
}

const AgentText = memo(function AgentText({ text }: { text: string }) {
  return <Markdown text={text} />;
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
  const line = (
    <>
      <CallStateIcon state={states[outcome]} />
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
      <span className="shrink-0 text-xs text-ink-faint">{isLink ? 'Show' : outcomeLabels[outcome]}</span>
    </>
  );
  const look = 'flex min-h-7 w-full items-center gap-2 px-2.5 py-0.5 text-left';
  return (
    <li>
      {isLink ? (
        <button type="button" onClick={() => onShow(call.id)} className={`${look} rounded-sm hover:bg-hover`}>
          {line}
        </button>
      ) : (
        <div className={look}>{line}</div>
      )}
      {call.error !== undefined && <p className="px-2.5 pb-1 pl-8.5 text-xs text-bad">{call.error}</p>}
      {call.answers.map((line, index) => (
        <p key={index} className="px-2.5 pb-1 pl-8.5 text-xs text-ink-soft wrap-anywhere">
          {line}
        </p>
      ))}
      {call.images.length > 0 && (
        <div className="px-2.5 pt-0.5 pb-1.5 pl-8.5">
          <Attachments documents={[]} images={call.images} />
        </div>
      )}
    </li>
  );
}
