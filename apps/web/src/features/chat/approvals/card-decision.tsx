import type { CallDecision, PermissionScope } from '@docwright/contract';
import { Check, Pencil, X, ChevronDown, ShieldCheck } from 'lucide-react';
import { isOverMany, type ChatPlace } from '../../../shared/api/chat-api.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { readStored, useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { keepUnsent } from '../../../agent-ui/drafts/unsent-drafts.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { callArguments } from '../../../agent-ui/call-labels.ts';
import { Menu, MenuItem, MenuLabel } from '../../../shared/ui/menu.tsx';
import { Suspense, type FormEvent } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { inputClass } from '../../../shared/ui/fields/text-field.tsx';
import { counted } from '../../../shared/formats/counted.ts';
import { focusOnMount } from '../../../shared/ui/browser/focus-on-mount.ts';
import { findCard } from '../../../agent-ui/use-decision-keys.ts';

/** Loaded with the first edit. */
const ArgumentEdit = lazyPart(async () => ({
  default: (await import('../../../agent-ui/argument-edit.tsx')).ArgumentEdit,
}));

/** The open form of a card: a reason to reject, or edited arguments. */
export type CardDraft = 'reason' | 'arguments';

interface CardDecisionProps {
  place: ChatPlace;
  card: ToolCard;
  isAdmin: boolean;
  /** The decision so far, while others of the batch are open. */
  decision: CallDecision | undefined;
  /** Whether its evaluation is out of date. */
  isStale?: boolean | undefined;
  /** Of a plan: the number of steps that are not skipped. */
  stepCount?: number | undefined;
  draft: CardDraft | undefined;
  onDraft: (draft: CardDraft | undefined) => void;
  onDecide: (decision: CallDecision) => void;
}

/** Buttons of a pending card: approve, reject with a reason, edit the arguments, or always allow. */
export function CardDecision({
  place,
  card,
  isAdmin,
  decision,
  isStale,
  stepCount,
  draft,
  onDraft,
  onDecide,
}: CardDecisionProps) {
  const call_id = card.id;
  const onCancel = () => {
    keepUnsent(call_id, { arguments: undefined, reason: undefined });
    onDraft(undefined);
    findCard(call_id)?.focus({ preventScroll: true });
  };
  const reasonKey = `docwright.reason.${call_id}`;
  // An unsent reason from before a reload opens its form again.
  const resumed = draft === undefined && decision === undefined && readStored(reasonKey) !== null;
  if (draft === 'reason' || resumed) {
    return (
      <RejectionForm
        draftKey={reasonKey}
        onDraft={(reason) => keepUnsent(call_id, { reason })}
        onCancel={onCancel}
        onReject={(reason) => onDecide({ call_id, approved: false, ...(reason === undefined ? {} : { reason }) })}
      />
    );
  }
  if (draft === 'arguments') {
    const edited = decision?.arguments === undefined ? card : { ...card, arguments: decision.arguments };
    return (
      <Suspense>
        <ArgumentEdit
          className="border-t border-line px-2.5 py-2"
          place={place}
          call={edited}
          onCancel={onCancel}
          onApprove={(text) => onDecide({ call_id, approved: true, arguments: text })}
          onDraft={(text) => keepUnsent(call_id, { arguments: text })}
        />
      </Suspense>
    );
  }
  const approved = decision?.approved === true;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-2.5 py-2">
      <Button
        look={approved ? 'secondary' : 'primary'}
        size="small"
        disabled={stepCount === 0}
        onClick={() => onDecide({ call_id, approved: true })}
      >
        <Check aria-hidden className="size-4" /> {approved ? 'Approved' : isStale ? 'Approve anyway' : 'Approve'}
        {stepCount !== undefined && ` ${counted(stepCount, 'step')}`}
        <KeyCap name="Y" />
      </Button>
      <Button size="small" onClick={() => onDraft('reason')}>
        <X aria-hidden className="size-4" />{' '}
        {decision?.approved === false ? 'Rejected' : stepCount === undefined ? 'Reject' : 'Reject plan'}
        <KeyCap name="N" />
      </Button>
      {stepCount === undefined && (
        <>
          <ApproveAndMove card={card} onApprove={(text) => onDecide({ call_id, approved: true, arguments: text })} />
          <Button look="quiet" size="small" onClick={() => onDraft('arguments')}>
            <Pencil aria-hidden className="size-3.5" /> Edit
            <KeyCap name="E" />
          </Button>
          <AlwaysAllow
            place={place}
            isAdmin={isAdmin}
            onAllow={(remember) => onDecide({ call_id, approved: true, remember })}
          />
        </>
      )}
      {decision && <span className="text-xs text-ink-faint">Sent once you decide the others.</span>}
    </div>
  );
}

interface ApproveAndMoveProps {
  card: ToolCard;
  onApprove: (args: string) => void;
}

/** Of a change of a schema: also moves the prompts that use it to the new version. */
function ApproveAndMove({ card, onApprove }: ApproveAndMoveProps) {
  const preview = card.proposal?.preview;
  const use = preview?.kind === 'difference' ? preview.schema_use : undefined;
  if (use === undefined || use.moves_prompts) return null;
  return (
    <Button size="small" onClick={() => onApprove(JSON.stringify({ ...callArguments(card), relink_prompts: true }))}>
      <Check aria-hidden className="size-4" /> Approve and move {counted(use.prompts.length, 'prompt')}
    </Button>
  );
}

const scopes: { scope: PermissionScope; label: string }[] = [
  { scope: 'thread', label: 'In this conversation' },
  { scope: 'document', label: 'For this document' },
  { scope: 'organization', label: 'In the whole organization' },
];

interface AlwaysAllowProps {
  place: ChatPlace;
  isAdmin: boolean;
  onAllow: (scope: PermissionScope) => void;
}

/** Approves and creates a rule; only admins can create one for the organization. */
function AlwaysAllow({ place, isAdmin, onAllow }: AlwaysAllowProps) {
  const offered = scopes.filter(({ scope }) =>
    scope === 'organization' ? isAdmin : scope === 'thread' || !isOverMany(place),
  );
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" size="small">
          <ShieldCheck aria-hidden className="size-4" /> Always allow
          <ChevronDown aria-hidden className="size-3.5" />
        </Button>
      }
    >
      <MenuLabel>Approve, and always run this tool automatically</MenuLabel>
      {offered.map(({ scope, label }) => (
        <MenuItem key={scope} onSelect={() => onAllow(scope)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface RejectionFormProps {
  /** Local storage key of the unsent reason. */
  draftKey: string;
  onDraft: (reason: string) => void;
  onCancel: () => void;
  onReject: (reason: string | undefined) => void;
}

/** Rejects with an optional reason, which the agent reads. */
function RejectionForm({ draftKey, onDraft, onCancel, onReject }: RejectionFormProps) {
  const [stored, setReason] = useStoredValue(draftKey);
  const reason = stored ?? '';
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
        ref={focusOnMount}
        aria-label="Why? The agent reads it."
        placeholder="Why? The agent reads it. (optional)"
        maxLength={2000}
        value={reason}
        onChange={(event) => {
          onDraft(event.target.value);
          setReason(event.target.value);
        }}
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
