import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { focusOnMount } from '../../shared/ui/browser/focus-on-mount.ts';
import { tickHint } from './gone-decision.tsx';

interface RejectFormProps {
  /** The number of rejected calls; none can be rejected while it is 0. */
  count: number;
  /** Calls are left that can be chosen. */
  canTick: boolean;
  /** A reason that could not be sent. */
  start: string | undefined;
  onCancel: () => void;
  onReject: (reason: string | undefined) => void;
}

/** Asks for one reason for all rejected calls; the agent reads it. */
export function RejectForm({ count, canTick, start = '', onCancel, onReject }: RejectFormProps) {
  const [reason, setReason] = useState(start);
  const reject = () => onReject(reason.trim() === '' ? undefined : reason.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reject();
      }}
      className="flex flex-col gap-2"
    >
      <textarea
        ref={focusOnMount}
        aria-label="Why? The agent reads it."
        placeholder="Why? The agent reads it. (optional)"
        maxLength={2000}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) reject();
          else return;
          event.preventDefault();
        }}
        className={`${inputClass} h-auto py-1.5`}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" look="danger" disabled={count === 0} className="max-md:h-11">
          {count > 1 ? `Reject ${count}` : 'Reject'}
          <KeyCap name="Ctrl Enter" />
        </Button>
        <Button look="quiet" className="max-md:h-11" onClick={onCancel}>
          Cancel
          <KeyCap name="Esc" />
        </Button>
        {count === 0 && canTick && <span className="ml-auto text-sm text-ink-soft">{tickHint}</span>}
      </div>
    </form>
  );
}
