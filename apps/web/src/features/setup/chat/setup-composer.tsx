import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Tip } from '../../../shared/ui/tip.tsx';

const mostCharacters = 10_000;
const square = 'w-7 shrink-0';

interface SetupComposerProps {
  draft: string;
  onDraft: (draft: string) => void;
  running: boolean;
  /** Nothing was said yet: who comes here comes to write. */
  isFirst: boolean;
  /** Why nothing can be said any more. */
  closed: ReactNode;
  /** Says whether it was sent. */
  onSend: (message: string) => boolean;
  onStop: () => void;
  /** Settings beside the button. */
  children: ReactNode;
}

/** Enter sends, Shift and Enter begin a new line; what is half written stays. */
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
  const beyond = message.length - mostCharacters;
  const ready = !running && message !== '' && beyond <= 0;
  const send = () => {
    if (!ready || !onSend(message)) return;
    onDraft('');
    field.current?.focus();
  };
  if (closed !== undefined)
    return <p className="shrink-0 border-t border-line bg-surface p-3 text-sm text-ink-soft">{closed}</p>;
  return (
    <div className="shrink-0 border-t border-line bg-surface p-3">
      {beyond > 0 && (
        <p id="composer-beyond" role="alert" className="pb-2 text-xs text-bad tabular-nums">
          {beyond === 1 ? 'One character' : `${beyond.toLocaleString()} characters`} too many: a message holds{' '}
          {mostCharacters.toLocaleString()}.
        </p>
      )}
      <div className="flex flex-col rounded-lg border border-line-strong bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <textarea
          ref={field}
          aria-label="Message to the agent"
          aria-invalid={beyond > 0}
          aria-describedby={beyond > 0 ? 'composer-beyond' : undefined}
          placeholder="What shall the collection be good for?"
          rows={2}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          className="max-h-48 min-h-12 w-full resize-none bg-transparent px-3 py-2 outline-none [field-sizing:content] placeholder:text-ink-faint"
        />
        <div className="flex items-center gap-2 p-1.5">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">{children}</div>
          {running ? (
            <Tip text="Stop (Esc)">
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
