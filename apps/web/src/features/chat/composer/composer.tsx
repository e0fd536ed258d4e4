import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { Composer } from '../../../agent-ui/composer.tsx';
import { beforeStored, useKeptMessage, useStoredDraft } from '../../../shared/ui/browser/stored-value.ts';
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
  /** A message that was not sent; it goes back into the field. */
  unsent: string | undefined;
  /** A message that did not reach the server and stands in the conversation to be sent again. */
  refused: string | undefined;
  /** Why sending is off. */
  blocked: string | undefined;
  onSend: (message: OutgoingMessage) => void;
  onStop: () => void;
  /** Settings beside the send button. */
  children: ReactNode;
}

const messageOf = (draft: string): string => plainDraft(draft).trim();

/** The message field of the chat. Enter sends, Shift+Enter inserts a line break. */
export function ChatComposer(props: ChatComposerProps) {
  const { draftKey, offer, placeholder, running, unsent, refused, blocked, onSend, onStop, children } = props;
  const [draft, setDraft] = useStoredDraft(draftKey);
  const box = useRef<HTMLDivElement>(null);
  const sent = useRef('');
  // The draft has the mentions.
  const asDraft = (text: string) => (messageOf(sent.current) === text ? sent.current : text);
  const giveBack = (message: string) => setDraft(beforeStored(message, draftKey));
  const onUnsent = useEffectEvent((text: string) => giveBack(asDraft(text)));
  useEffect(() => {
    if (unsent !== undefined) onUnsent(unsent);
  }, [unsent]);
  useKeptMessage(draftKey, refused, giveBack);
  const ready = !running && blocked === undefined && draft.trim() !== '';
  const send = () => {
    if (!ready) return;
    sent.current = draft;
    setDraft(null);
    onSend({ text: messageOf(draft), mentions: mentionsIn(draft) });
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
