import type { CallDecision } from '@docwright/contract';
import { Check, Pencil, X } from 'lucide-react';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { readStored } from '../../../shared/ui/stored-value.ts';
import { AlwaysAllow } from './always-allow.tsx';
import { ArgumentEdit } from './argument-edit.tsx';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { RejectionForm } from './rejection-form.tsx';

/** What is being written about a card: why not, or other arguments. */
export type CardDraft = 'reason' | 'arguments';

interface CardDecisionProps {
  place: ChatPlace;
  card: ToolCard;
  isAdmin: boolean;
  /** What was said already, while others of the batch are still open. */
  decision: CallDecision | undefined;
  draft: CardDraft | undefined;
  onDraft: (draft: CardDraft | undefined) => void;
  onDecide: (decision: CallDecision) => void;
}

/** Approve as it is, with other arguments or for good; or reject with a reason that the agent gets to read. */
export function CardDecision({ place, card, isAdmin, decision, draft, onDraft, onDecide }: CardDecisionProps) {
  const call_id = card.id;
  const onCancel = () => {
    onDraft(undefined);
    document.querySelector<HTMLElement>(`[data-card="${CSS.escape(call_id)}"]`)?.focus({ preventScroll: true });
  };
  const reasonKey = `docwright.reason.${call_id}`;
  // A reason that was half written when the page was left is there again, with its form.
  const resumed = draft === undefined && decision === undefined && readStored(reasonKey) !== null;
  if (draft === 'reason' || resumed) {
    return (
      <RejectionForm
        draftKey={reasonKey}
        onCancel={onCancel}
        onReject={(reason) => onDecide({ call_id, approved: false, ...(reason === undefined ? {} : { reason }) })}
      />
    );
  }
  if (draft === 'arguments') {
    const edited = decision?.arguments === undefined ? card : { ...card, arguments: decision.arguments };
    return (
      <ArgumentEdit
        place={place}
        card={edited}
        onCancel={onCancel}
        onApprove={(text) => onDecide({ call_id, approved: true, arguments: text })}
      />
    );
  }
  const approved = decision?.approved === true;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">
      <Button
        look={approved ? 'secondary' : 'primary'}
        size="small"
        onClick={() => onDecide({ call_id, approved: true })}
      >
        <Check aria-hidden className="size-4" /> {approved ? 'Approved' : 'Approve'}
        <KeyCap name="Y" />
      </Button>
      <Button size="small" onClick={() => onDraft('reason')}>
        <X aria-hidden className="size-4" /> {decision?.approved === false ? 'Rejected' : 'Reject'}
        <KeyCap name="N" />
      </Button>
      <Button look="quiet" size="small" onClick={() => onDraft('arguments')}>
        <Pencil aria-hidden className="size-3.5" /> Edit
        <KeyCap name="E" />
      </Button>
      <AlwaysAllow isAdmin={isAdmin} onAllow={(remember) => onDecide({ call_id, approved: true, remember })} />
      {decision && <span className="text-xs text-ink-faint">Goes out once the others are decided.</span>}
    </div>
  );
}
