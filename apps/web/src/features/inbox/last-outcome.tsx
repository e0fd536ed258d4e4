import type { ApprovalOutcome } from '@docwright/contract';
import { X } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { outcomeWords } from './inbox-labels.ts';

/** What was said to a group, and what came of each of its calls. */
export interface Decided {
  summary: string;
  approved: boolean;
  outcomes: readonly (ApprovalOutcome & { document_name: string })[];
}

/** Tells what came of the last decision; of each call that it did not settle, why. */
export function LastOutcome({ decided, onClose }: { decided: Decided; onClose: () => void }) {
  const open = decided.outcomes.filter(({ status }) => status !== 'decided');
  return (
    <Notice
      tone={open.length === 0 ? 'good' : 'warn'}
      className="rounded-none border-b border-line"
      actions={
        <IconButton label="Close this message" onClick={onClose}>
          <X className="size-3.5" />
        </IconButton>
      }
    >
      <p className="wrap-anywhere">
        <span className="font-medium">{outcomeWords(decided.outcomes, decided.approved)}</span> {decided.summary}
      </p>
      {open.length > 0 && (
        <ul className="max-h-32 list-disc overflow-auto pl-4">
          {open.map(({ call_id, document_name, message, status }) => (
            <li key={call_id} className="wrap-anywhere">
              {document_name}: {message ?? status}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
