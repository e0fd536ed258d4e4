import { useRef, type ReactNode } from 'react';
import { Composer } from '../../../agent-ui/composer.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { MentionField } from './mention-field.tsx';
import type { MentionOffer } from './mention-choices.ts';
import { mentionsIn, plainDraft } from './mention-markup.ts';
import type { OutgoingMessage } from '../turn/use-chat.ts';

interface ChatComposerProps {
  /** Local storage key of the conversation's draft. */
  draftKey: string;
  offer: MentionOffer;
  placeholder: string;
  running: boolean;
  /** Why sending is off. */
  blocked: string | undefined;
  onSend: (message: OutgoingMessage) => void;
  onStop: () => void;
  /** Settings beside the send button. */
  children: ReactNode;
}

/** The message field of the chat. Enter sends, Shift+Enter inserts a line break. */
export function ChatComposer(props: ChatComposerProps) {
  const { draftKey, offer, placeholder, running, blocked, onSend, onStop, children } = props;
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
    <Composer
      blocked={blocked}
      ready={ready}
      onSend={send}
      onStop={running ? onStop : undefined}
      field={
        <div ref={box}>
          <MentionField
            label="Message to the agent"
            describedBy={blocked === undefined ? undefined : 'composer-blocked'}
            placeholder={placeholder}
            draft={draft}
            offer={offer}
            onChange={setDraft}
            onEnter={send}
          />
        </div>
      }
    >
      {children}
    </Composer>
  );
}
