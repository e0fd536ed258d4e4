import { useRef } from 'react';
import { Composer, MessageField } from '../../agent-ui/composer.tsx';
import { useStoredValue } from '../../shared/ui/stored-value.ts';

interface TaskComposerProps {
  draftKey: string;
  running: boolean;
  onSend: (message: string) => void;
}

/** Enter sends, Shift+Enter inserts a new line; the draft is kept. */
export function TaskComposer({ draftKey, running, onSend }: TaskComposerProps) {
  const [stored, setDraft] = useStoredValue(draftKey);
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = stored ?? '';
  const ready = !running && draft.trim() !== '';
  const send = () => {
    if (!ready) return;
    onSend(draft.trim());
    setDraft(null);
    field.current?.focus();
  };
  return (
    <Composer
      ready={ready}
      onSend={send}
      field={
        <MessageField
          ref={field}
          aria-label="Message to the task agent"
          placeholder="What do you have to do?"
          rows={1}
          maxLength={10_000}
          draft={draft}
          onDraft={setDraft}
          onEnter={send}
          className="max-h-40 min-h-10 min-w-0 flex-1 py-2"
        />
      }
    />
  );
}
