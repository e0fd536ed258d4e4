import { useState, type FormEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { inputClass } from '../ui/text-field.tsx';

interface RejectionFormProps {
  onCancel: () => void;
  onReject: (reason: string | undefined) => void;
}

/** The agent reads the reason and takes another way. */
export function RejectionForm({ onCancel, onReject }: RejectionFormProps) {
  const [reason, setReason] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = reason.trim();
    onReject(trimmed === '' ? undefined : trimmed);
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
