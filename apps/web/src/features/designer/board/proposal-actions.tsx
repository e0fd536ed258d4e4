import { Check, X } from 'lucide-react';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { ColumnCall } from '../state/designer-state.ts';

interface ProposalActionsProps {
  call: ColumnCall;
  /** Describes the change, for the accessible names. */
  label: string;
  onDecide: (ids: string[], approved: boolean) => void;
}

/** Buttons to approve or decline a proposed change. */
export function ProposalActions({ call, label, onDecide }: ProposalActionsProps) {
  if (call.decision !== undefined) return <Spinner label="In progress" className="m-1.5 text-ink-faint" />;
  return (
    <span className="inline-flex gap-0.5">
      <IconButton label={`Approve: ${label}`} hint="Y" className="text-good!" onClick={() => onDecide([call.id], true)}>
        <Check aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={`Decline: ${label}`} hint="N" className="text-bad!" onClick={() => onDecide([call.id], false)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </span>
  );
}
