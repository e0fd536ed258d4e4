import {
  editedArguments,
  guardedPermissionRequest,
  prepareCall,
  staleReason,
  type DocumentAgentServices,
  type ToolContext,
  type TurnStore,
} from '@docwright/agent-core';
import { DomainError, type ApprovalDecision } from '@docwright/contract';
import type { ChatServices } from '../chat/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import type { PendingCallRecord } from '../turns/index.ts';

/**
 * Checks a decision against the current state and changes nothing. Throws for invalid arguments, for a call beyond the
 * approver's rights, and for a stale proposal.
 */
export type CheckDecision = (
  actor: Actor,
  call: PendingCallRecord,
  decision: Omit<ApprovalDecision, 'turn_id' | 'call_id'>,
) => Promise<void>;

export function createCheckDecision({
  chat,
  turnStore,
  decideFor,
}: {
  chat: Pick<ChatServices, 'profile' | 'servicesFor'>;
  turnStore: Pick<TurnStore, 'find'>;
  decideFor: DecideForTurn;
}): CheckDecision {
  return async (actor, call, decision) => {
    const { approved } = decision;
    requireWriter(actor);
    if (!approved) return;
    const { organizationId } = actor;
    const documentId = call.document_id.toHexString();
    const owner = { organizationId, documentId, userId: call.user_id.toHexString() };
    const lookup = await turnStore.find(call.turn_id.toHexString(), owner);
    if (lookup.state !== 'waiting') {
      throw new DomainError('gone', 'turn_expired', 'This call waited too long and can no longer be decided.');
    }
    const { batch, settings, threadId, workingState } = lookup.turn;
    const proposed = batch.calls.find(({ id }) => id === call.call_id);
    if (!proposed) throw new DomainError('not_found', 'turn_not_found', 'This call is no longer pending.');
    const edited = editedArguments(proposed, decision);
    const prepared = prepareCall(chat.profile.tools, proposed.name, edited ?? proposed.arguments);
    if (prepared.refusal !== undefined) throw new DomainError('unprocessable', 'invalid_arguments', prepared.refusal);
    const services = await chat.servicesFor(actor, settings.given?.areOfDocument === false ? undefined : documentId);
    const context: ToolContext<DocumentAgentServices> = {
      services,
      workingState: { get: () => workingState, update: () => undefined },
      origin: { call_id: call.call_id },
      signal: new AbortController().signal,
      isApproved: true,
    };
    const place = { threadId, documentId, autoApprove: false, autoApprovedTools: [] };
    const permission = await decideFor(actor, place)(await guardedPermissionRequest(prepared, context));
    if (permission.effect === 'deny') throw new DomainError('forbidden', 'admin_required', permission.message);
    const baseline = batch.baselines[call.call_id];
    const stale = baseline && (await staleReason(prepared, context, { baseline, isEdited: edited !== undefined }));
    if (stale !== undefined) throw new DomainError('conflict', 'changed_since', stale);
  };
}
