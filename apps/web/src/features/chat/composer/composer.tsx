import { useRef, type ReactNode } from 'react';
import { messageBoxClass } from '../../../agent-ui/message-field.tsx';
import { SendButton } from '../../../agent-ui/send-button.tsx';
import { useStoredValue } from '../../../shared/ui/stored-value.ts';
import { MentionField } from './mention-field.tsx';
import type { MentionOffer } from './mention-choices.ts';
import { mentionsIn, plainDraft } from './mention-markup.ts';
import type { OutgoingMessage } from '../turn/use-chat.ts';

interface ComposerProps {
  /** Each conversation keeps its own draft. */
  draftKey: string;
  offer: MentionOffer;
  running: boolean;
  /** Why nothing can be sent now. */
  blocked: string | undefined;
  onSend: (message: OutgoingMessage) => void;
  onStop: () => void;
  /** Settings beside the button. */
  children: ReactNode;
}

/** Enter sends, Shift and Enter begin a new line. */
export function Composer({ draftKey, offer, running, blocked, onSend, onStop, children }: ComposerProps) {
  const [stored, setDraft] = useStoredValue(draftKey);
  const box = useRef<HTMLDivElement>(null);
  const draft = stored ?? '';
  const ready = !running && blocked === undefined && draft.trim() !== '';
  const send = () => {
    if (!ready) return;
    setDraft(null);
    onSend({ text: plainDraft(draft).trim(), mentions: mentionsIn(draft) });
    box.current?.querySelector('textarea')?.focus();
  };
  return (
    <div className="shrink-0 border-t border-line bg-surface p-3">
      {blocked !== undefined && (
        <p id="composer-blocked" className="pb-2 text-xs text-warn">
          {blocked}
        </p>
      )}
      <div ref={box} className={messageBoxClass}>
        <MentionField
          label="Message to the agent"
          describedBy={blocked === undefined ? undefined : 'composer-blocked'}
          placeholder="Ask for a schema, an extraction, a change… @ mentions one"
          draft={draft}
          offer={offer}
          onChange={setDraft}
          onEnter={send}
        />
        <div className="flex items-center gap-2 p-1.5">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">{children}</div>
          <SendButton ready={ready} onSend={send} onStop={running ? onStop : undefined} />
        </div>
      </div>
    </div>
  );
}
