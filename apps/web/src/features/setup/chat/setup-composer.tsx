import { useEffect, useRef, type ReactNode } from 'react';
import { Composer, MessageField } from '../../../agent-ui/composer.tsx';

const maxCharacters = 10_000;

interface SetupComposerProps {
  draft: string;
  onDraft: (draft: string) => void;
  running: boolean;
  /** Whether the conversation is empty; the field then takes the focus. */
  isFirst: boolean;
  /** Why the conversation is over; undefined while it is open. */
  closed: ReactNode;
  /** Returns false if the message was not sent. */
  onSend: (message: string) => boolean;
  onStop: () => void;
  /** Settings beside the button. */
  children: ReactNode;
}

/** Enter sends, Shift+Enter inserts a new line; the draft is stored in the browser. */
export function SetupComposer({
  draft,
  onDraft,
  running,
  isFirst,
  closed,
  onSend,
  onStop,
  children,
}: SetupComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  const message = draft.trim();
  const excess = message.length - maxCharacters;
  const ready = !running && message !== '' && excess <= 0;
  const send = () => {
    if (!ready || !onSend(message)) return;
    onDraft('');
    field.current?.focus();
  };
  if (closed !== undefined)
    return <p className="shrink-0 border-t border-line bg-surface p-3 text-sm text-ink-soft">{closed}</p>;
  return (
    <Composer
      ready={ready}
      onSend={send}
      onStop={running ? onStop : undefined}
      problem={
        excess > 0
          ? `${excess.toLocaleString()} too many characters: a message holds ${maxCharacters.toLocaleString()}.`
          : undefined
      }
      field={
        <MessageField
          ref={field}
          data-composer=""
          aria-label="Message to the agent"
          aria-invalid={excess > 0}
          aria-describedby={excess > 0 ? 'composer-problem' : undefined}
          placeholder="What should people find in this collection?"
          rows={2}
          draft={draft}
          onDraft={onDraft}
          onEnter={send}
          className="max-h-48 min-h-12 w-full py-2"
        />
      }
    >
      {children}
    </Composer>
  );
}
