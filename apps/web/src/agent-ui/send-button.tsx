import { ArrowUp, Square } from 'lucide-react';
import { Button } from '../shared/ui/button.tsx';
import { Tip } from '../shared/ui/tip.tsx';

const square = 'w-7 shrink-0';

interface SendButtonProps {
  ready: boolean;
  onSend: () => void;
  /** Given while an answer comes that can be stopped. */
  onStop?: (() => void) | undefined;
}

/** Sends a message, or stops the answer to it. */
export function SendButton({ ready, onSend, onStop }: SendButtonProps) {
  if (onStop !== undefined)
    return (
      <Tip text="Stop (Esc)">
        <Button size="small" aria-label="Stop" onClick={onStop} className={square}>
          <Square aria-hidden className="size-3.5 fill-current" />
        </Button>
      </Tip>
    );
  return (
    <Tip text="Send (Enter)">
      <Button look="primary" size="small" aria-label="Send" disabled={!ready} onClick={onSend} className={square}>
        <ArrowUp aria-hidden className="size-4" />
      </Button>
    </Tip>
  );
}
