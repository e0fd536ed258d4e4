import type { CallDecision } from '@docwright/contract';
import { Check, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { inputClass } from '../ui/text-field.tsx';

interface CardDecisionProps {
  callId: string;
  /** What was said already, while others of the batch are still open. */
  decision: CallDecision | undefined;
  rejecting: boolean;
  onRejecting: (rejecting: boolean) => void;
  onDecide: (decision: CallDecision) => void;
}

/** Approve, or reject with a reason that the agent gets to read. */
export function CardDecision({ callId, decision, rejecting, onRejecting, onDecide }: CardDecisionProps) {
  if (rejecting) {
    return <Rejection callId={callId} onCancel={() => onRejecting(false)} onDecide={onDecide} />;
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">
      <Button
        look={decision?.approved === true ? 'secondary' : 'primary'}
        size="small"
        onClick={() => onDecide({ call_id: callId, approved: true })}
      >
        <Check aria-hidden className="size-4" /> {decision?.approved === true ? 'Approved' : 'Approve'}
        <Key name="Y" />
      </Button>
      <Button size="small" onClick={() => onRejecting(true)}>
        <X aria-hidden className="size-4" /> {decision?.approved === false ? 'Rejected' : 'Reject'}
        <Key name="N" />
      </Button>
      {decision && <span className="text-xs text-ink-faint">Goes out once the others are decided.</span>}
    </div>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd
      aria-hidden
      className="ml-1 rounded-sm border border-current px-1 font-sans text-xs leading-4 opacity-70 max-md:hidden"
    >
      {name}
    </kbd>
  );
}

interface RejectionProps {
  callId: string;
  onCancel: () => void;
  onDecide: (decision: CallDecision) => void;
}

function Rejection({ callId, onCancel, onDecide }: RejectionProps) {
  const [reason, setReason] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = reason.trim();
    onDecide({ call_id: callId, approved: false, ...(trimmed === '' ? {} : { reason: trimmed }) });
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">
      <input
        ref={(input) => input?.focus()}
        aria-label="Why? The agent reads it."
        placeholder="Why? The agent reads it. (optional)"
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
        className={`${inputClass} h-7 min-w-48 flex-1`}
      />
      <Button type="submit" look="danger" size="small">
        Reject
      </Button>
      <Button look="quiet" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
