import { useCallback, type FormEvent } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useStoredValue } from '../../../shared/ui/stored-value.ts';
import { inputClass } from '../../../shared/ui/fields/text-field.tsx';

interface RejectionFormProps {
  /** Where what is half written is kept until it is sent or given up. */
  draftKey: string;
  onCancel: () => void;
  onReject: (reason: string | undefined) => void;
}

/** The agent reads the reason and takes another way. */
export function RejectionForm({ draftKey, onCancel, onReject }: RejectionFormProps) {
  const [stored, setReason] = useStoredValue(draftKey);
  const reason = stored ?? '';
  const focusOnce = useCallback((input: HTMLInputElement | null) => input?.focus(), []);
  const cancel = () => {
    setReason(null);
    onCancel();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = reason.trim();
    setReason(null);
    onReject(trimmed === '' ? undefined : trimmed);
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">
      <input
        ref={focusOnce}
        aria-label="Why? The agent reads it."
        placeholder="Why? The agent reads it. (optional)"
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
        }}
        className={`${inputClass} h-7 min-w-48 flex-1`}
      />
      <Button type="submit" look="danger" size="small">
        Reject
      </Button>
      <Button look="quiet" size="small" onClick={cancel}>
        Cancel
      </Button>
    </form>
  );
}
