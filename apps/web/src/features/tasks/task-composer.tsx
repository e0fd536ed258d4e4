import { useRef } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { MessageField, messageBoxClass } from '../../agent-ui/message-field.tsx';
import { SendButton } from '../../agent-ui/send-button.tsx';
import { useStoredValue } from '../../shared/ui/stored-value.ts';

interface TaskComposerProps {
  draftKey: string;
  running: boolean;
  onSend: (message: string) => void;
}

/** Enter sends, Shift and Enter begin a new line; what is half written stays. */
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
    <div className="shrink-0 border-t border-line p-3">
      <div className={classNames('flex items-end', messageBoxClass)}>
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
        <div className="p-1.5">
          <SendButton ready={ready} onSend={send} />
        </div>
      </div>
    </div>
  );
}
