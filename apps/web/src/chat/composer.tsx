import { ArrowUp, Square } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { useStoredValue } from '../ui/stored-value.ts';
import { Tip } from '../ui/tip.tsx';

const square = 'w-7 shrink-0';

interface ComposerProps {
  /** Each conversation keeps its own draft. */
  draftKey: string;
  running: boolean;
  /** Why nothing can be sent now. */
  blocked: string | undefined;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Settings beside the button. */
  children: ReactNode;
}

/** Enter sends, Shift and Enter begin a new line. */
export function Composer({ draftKey, running, blocked, onSend, onStop, children }: ComposerProps) {
  const [draft, setDraft] = useStoredValue(draftKey);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft ?? '';
  const ready = !running && blocked === undefined && text.trim() !== '';
  const send = () => {
    if (!ready) return;
    setDraft(null);
    onSend(text.trim());
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="shrink-0 border-t border-line bg-surface p-3">
      {blocked !== undefined && (
        <p id="composer-blocked" className="pb-2 text-xs text-warn">
          {blocked}
        </p>
      )}
      <div className="rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <textarea
          ref={field}
          data-composer
          aria-label="Message to the agent"
          aria-describedby={blocked === undefined ? undefined : 'composer-blocked'}
          placeholder="Ask for a schema, an extraction, a change…"
          rows={2}
          value={text}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          className="block max-h-48 w-full resize-none bg-transparent px-3 pt-2 outline-none [field-sizing:content] placeholder:text-ink-faint"
        />
        <div className="flex items-center gap-2 p-1.5">
          <div className="flex min-w-0 flex-1 items-center gap-2">{children}</div>
          {running ? (
            <Tip text="Stop">
              <Button size="small" aria-label="Stop" onClick={onStop} className={square}>
                <Square aria-hidden className="size-3.5 fill-current" />
              </Button>
            </Tip>
          ) : (
            <Tip text="Send (Enter)">
              <Button look="primary" size="small" aria-label="Send" disabled={!ready} onClick={send} className={square}>
                <ArrowUp aria-hidden className="size-4" />
              </Button>
            </Tip>
          )}
        </div>
      </div>
    </div>
  );
}
