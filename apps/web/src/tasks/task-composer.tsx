import { ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { useStoredValue } from '../ui/stored-value.ts';
import { Tip } from '../ui/tip.tsx';

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
      <div className="flex items-end rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <textarea
          ref={field}
          aria-label="Message to the task agent"
          placeholder="What do you have to do?"
          rows={1}
          maxLength={10_000}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          className="max-h-40 min-h-10 min-w-0 flex-1 resize-none bg-transparent px-3 py-2 outline-none [field-sizing:content] placeholder:text-ink-faint"
        />
        <div className="p-1.5">
          <Tip text="Send (Enter)">
            <Button
              look="primary"
              size="small"
              aria-label="Send"
              disabled={!ready}
              onClick={send}
              className="w-7 shrink-0"
            >
              <ArrowUp aria-hidden className="size-4" />
            </Button>
          </Tip>
        </div>
      </div>
    </div>
  );
}
