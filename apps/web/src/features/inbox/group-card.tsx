import type { Approval } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import { ArgumentEdit } from '../../agent-ui/argument-edit.tsx';
import type { InboxSearch } from '../../shared/addresses/inbox-search.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { approvalsKey } from '../../shared/page/approval-count.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { focusWhenVisible } from '../../shared/ui/browser/focus-when-visible.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { KeyCap } from '../../shared/ui/key-cap.tsx';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useCallEvidence } from '../chat/index.ts';
import { decideApprovals, groupCallsQuery, maxDecisions } from './approvals-api.ts';
import { CallDetails } from './call-details.tsx';
import { CallPage, CallPlaces } from './call-page.tsx';
import { CallTable } from './call-table.tsx';
import type { DecidedCalls } from './last-outcome.tsx';
import { GoneDecision, OtherCallLeft, tickHint, UnknownDecision } from './gone-decision.tsx';
import { GroupHead } from './group-head.tsx';
import { useChosenCalls } from './use-chosen-calls.ts';
import { RejectForm } from './reject-form.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

interface GroupCardProps {
  /** One call of the group, with the size of the group. */
  group: Approval;
  /** The filter of the list; it applies to the group's calls too. */
  filter: InboxSearch;
  /** Goes back to the list; undefined if the list is beside the card. */
  onBack: (() => void) | undefined;
  /** Nothing of the group waits any more, and the card stays until the user goes on. */
  isGone: boolean;
  /** Nobody can say yet whether the group still waits. */
  isUnknown: boolean;
  /** Called when the user begins to type a decision, and when that ends. */
  onTyping: (isTyping: boolean) => void;
  onDecided: (decided: DecidedCalls) => void;
  /** Shows what took the place of a group that is gone. */
  onNext: () => void;
}

interface Verdict {
  approved: boolean;
  reason?: string;
  arguments?: string;
}

interface Draft {
  kind: 'reason' | 'arguments';
  call: Approval;
  /** The calls that were chosen when the user began to type. */
  of: readonly Approval[];
  sent?: string | undefined;
}

/** Shows similar calls and decides on the chosen ones together; the others stay pending. */
export function GroupCard({ group, filter, onBack, isGone, isUnknown, onTyping, onDecided, onNext }: GroupCardProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const size = group.group_size ?? 1;
  const loaded = useQuery({ ...groupCallsQuery(orgId, group.group, filter), enabled: size > 1 }).data;
  const calls = size > 1 ? (loaded ?? []) : [group];
  const isLoading = size > 1 && loaded === undefined;
  const { chosen, excluded, exclude } = useChosenCalls(calls, isLoading);
  const [shownCallId, setShownCallId] = useState<string>();
  /** What the user types, until it has arrived; arguments are those of one call, also when others are shown. */
  const [draft, setDraft] = useState<Draft>();
  const [progress, setProgress] = useState(0);
  const evidence = useCallEvidence();
  const call = calls.find(({ call_id }) => call_id === shownCallId) ?? calls[0] ?? group;

  const deciding = useMutation({
    mutationFn: async ({ of, verdict }: { of: readonly Approval[]; verdict: Verdict }) => {
      setProgress(0);
      const decisions = of.map(({ turn_id, call_id }) => {
        // The measurement is about the proposed arguments, not about edited ones.
        const evaluationId =
          verdict.approved && verdict.arguments === undefined ? evidence.evaluationOf(call_id) : undefined;
        return { turn_id, call_id, ...verdict, ...(evaluationId !== undefined && { evaluation_id: evaluationId }) };
      });
      const outcomes = await decideApprovals(orgId, decisions, setProgress);
      const calls = new Map(of.map((each) => [each.call_id, each]));
      return {
        summary: group.summary,
        approved: verdict.approved,
        typed: verdict.arguments ?? verdict.reason,
        outcomes: outcomes.flatMap((outcome) => {
          const decided = calls.get(outcome.call_id);
          return decided === undefined ? [] : [{ ...outcome, call: decided }];
        }),
      };
    },
    onSuccess: onDecided,
    onSettled: () => queryClient.invalidateQueries({ queryKey: approvalsKey(orgId) }),
  });
  /** The only call is one that the user has not chosen: it was unticked, or took the place of the shown one. */
  const isOther = size === 1 && chosen.length === 0;
  const waits = ({ call_id }: Approval) => calls.some((each) => each.call_id === call_id);
  const isEditedGone = draft?.kind === 'arguments' && !isLoading && !waits(draft.call);
  const isReasonLate = draft?.kind === 'reason' && !isLoading && chosen.length === 0 && !draft.of.some(waits);
  const isTooLate = draft !== undefined && !deciding.isPending && (isGone || isEditedGone || isReasonLate);
  const type = (next: typeof draft) => {
    setDraft(next);
    onTyping(next !== undefined);
  };
  const decide = (of: readonly Approval[], verdict: Verdict) => {
    if (deciding.isPending || of.length === 0 || isGone || isTooLate) return;
    setDraft(draft && { ...draft, sent: verdict.arguments ?? verdict.reason });
    deciding.mutate({ of, verdict }, { onSuccess: () => setDraft(undefined) });
  };
  /** Closes the form and returns the focus to the button that opened it. */
  const cancel = () => {
    focusWhenVisible(`[data-opens="${draft?.kind}"]`);
    type(undefined);
  };
  const isFree = !deciding.isPending && !isGone && !isUnknown && draft === undefined && chosen.length > 0;
  useInboxKeys(
    isFree
      ? {
          y: () => decide(chosen, { approved: true }),
          n: () => type({ kind: 'reason', call, of: chosen }),
          e: () => type({ kind: 'arguments', call, of: chosen }),
        }
      : {},
  );
  const count = size > 1 ? ` ${isLoading ? Math.min(size, maxDecisions) : chosen.length}` : '';
  const stays = size - chosen.length;
  const hidden = size - calls.length;
  const details = <CallDetails call={call} onEvidence={(callId, shown) => evidence.show(callId, shown)} />;
  return (
    <section aria-label="Decision" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <CallPlaces key={call.call_id} call={call}>
        <div className="flex min-h-0 flex-1 flex-col max-lg:overflow-auto">
          <GroupHead group={group} size={size} onBack={onBack} />
          {deciding.isError && <Notice tone="bad">{messageOf(deciding.error)}</Notice>}
          <div className="flex min-h-0 flex-1 flex-col max-lg:flex-none lg:flex-row">
            <div
              className={classNames(
                'flex min-h-0 min-w-0 flex-col bg-surface lg:overflow-auto',
                // A table needs more room than the page, a single change less.
                size > 1 ? 'lg:flex-[3]' : 'lg:flex-[2]',
              )}
            >
              {isLoading ? (
                <Skeleton className="m-4 h-40" />
              ) : size > 1 ? (
                <>
                  <CallTable
                    calls={calls}
                    differs={group.differs ?? []}
                    shownCallId={call.call_id}
                    onShow={setShownCallId}
                    excluded={excluded}
                    onExclude={exclude}
                  />
                  {hidden > 0 && (
                    <p className="border-t border-line px-3 py-1.5 text-xs text-ink-soft">
                      The first {maxDecisions}. {hidden.toLocaleString()} more follow once these are decided.
                    </p>
                  )}
                </>
              ) : (
                details
              )}
            </div>
            <div
              className={classNames(
                'flex min-h-0 min-w-0 flex-col border-line max-lg:border-t lg:border-l',
                size > 1 ? 'lg:flex-[2]' : 'lg:flex-[3]',
              )}
            >
              {size > 1 && !isLoading && (
                <div className="shrink-0 border-b border-line bg-surface lg:max-h-1/2 lg:overflow-auto">{details}</div>
              )}
              <div className="flex min-h-0 flex-1 flex-col max-lg:h-[70dvh] max-lg:flex-none">
                {isLoading ? <Skeleton className="m-4 h-40" /> : <CallPage call={call} />}
              </div>
            </div>
          </div>
        </div>
      </CallPlaces>
      <div className="flex flex-col gap-2 border-t border-line bg-surface px-4 py-2.5">
        {isTooLate && (
          <Notice tone="warn">
            This was decided elsewhere or has ended, so nothing can be sent any more. What you have typed stays until
            you close it.
          </Notice>
        )}
        {deciding.isPending ? (
          <DecisionProgress done={progress} total={deciding.variables.of.length} />
        ) : draft?.kind === 'reason' ? (
          <RejectForm
            count={chosen.length}
            canTick={!isTooLate && size > 1}
            start={draft.sent}
            onCancel={cancel}
            onReject={(reason) => decide(chosen, { approved: false, ...(reason === undefined ? {} : { reason }) })}
          />
        ) : draft?.kind === 'arguments' ? (
          <>
            {size > 1 && (
              <p className="text-sm text-ink-soft">
                This decides on {draft.call.document_name ?? 'this document'} alone; the others stay pending.
              </p>
            )}
            <ArgumentEdit
              key={draft.call.call_id}
              className="max-h-[50dvh] overflow-auto"
              place={{ orgId, documentId: draft.call.document_id }}
              call={{ name: draft.call.tool, arguments: draft.call.arguments }}
              start={draft.sent}
              onCancel={cancel}
              onApprove={(text) => decide([draft.call], { approved: true, arguments: text })}
            />
          </>
        ) : isGone ? (
          <GoneDecision onNext={onNext} />
        ) : isUnknown ? (
          <UnknownDecision />
        ) : isOther ? (
          <OtherCallLeft onChoose={() => exclude(new Set())} />
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              look="primary"
              className="max-md:h-11 max-md:flex-1"
              disabled={chosen.length === 0}
              onClick={() => decide(chosen, { approved: true })}
            >
              <Check aria-hidden className="size-4" /> Approve
              {size === 1 && evidence.isStale(call.call_id) ? ' anyway' : count}
              <KeyCap name="y" />
            </Button>
            <Button
              data-opens="reason"
              className="max-md:h-11"
              disabled={chosen.length === 0}
              onClick={() => type({ kind: 'reason', call, of: chosen })}
            >
              <X aria-hidden className="size-4" /> Reject…
              <KeyCap name="n" />
            </Button>
            <Button
              data-opens="arguments"
              look="quiet"
              className="max-md:h-11"
              disabled={isLoading}
              onClick={() => type({ kind: 'arguments', call, of: chosen })}
            >
              <Pencil aria-hidden className="size-3.5" /> Edit
              <KeyCap name="e" />
            </Button>
            {stays > 0 && calls.length > 0 && (
              <span className="ml-auto text-sm text-ink-soft">
                {chosen.length === 0 ? tickHint : `${stays} ${stays === 1 ? 'stays' : 'stay'} in the inbox`}
              </span>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

function DecisionProgress({ done, total }: { done: number; total: number }) {
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5 text-sm">
      <span>
        Deciding: {done} of {total}
      </span>
      <ProgressBar label="Decided" value={done} max={total} />
    </div>
  );
}
