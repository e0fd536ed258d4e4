import type { AuditDecision, ProposedCall, Provenance } from '@docwright/contract';
import type { ApprovedPlan } from '../plans/grants.ts';
import type { CallPermission } from '../permissions/permission.ts';
import type { Verdict } from './approval.ts';
import { permissionRequestOf, type CallOutcome } from './call-tool.ts';
import type { PreparedCall } from './prepare-call.ts';

/** One step of a call through the loop. A call has at most one record of each kind, even after crashes and retries. */
export interface CallRecord {
  readonly kind: 'proposed' | 'decided' | 'executed';
  readonly callId: string;
  readonly tool: string;
  /** JSON of the arguments at this step, with defaults and implied arguments filled in, as permission rules see them. */
  readonly arguments: string;
  readonly decision?: AuditDecision;
  /** The permission rule that decided, if any. */
  readonly ruleId?: string;
  readonly success?: boolean;
  readonly error?: string;
  /** Sources of each argument of a write. */
  readonly provenance?: Provenance;
  /** The approved plan that covers the call. */
  readonly plan?: { plan_id: string; step_id: string; title: string; approved_by: string };
}

/**
 * Stores every step. The loop awaits it, so that proposals and decisions are stored before a call runs. Idempotent: the
 * same record can arrive again after a crash and must change nothing.
 */
export type RecordCalls = (records: readonly CallRecord[]) => Promise<void>;

/** The records of a proposed call: the proposal, and the decision if no user has to decide. */
export function proposalRecords<Services>(
  { id, name, provenance }: ProposedCall,
  prepared: PreparedCall<Services>,
  permission: CallPermission | undefined,
  services: Services,
  plan?: ApprovedPlan,
): CallRecord[] {
  const call = {
    callId: id,
    tool: name,
    arguments: argumentsAsRun(prepared, services),
    ...(provenance && { provenance }),
    ...recordedPlan(plan, id),
  };
  if (prepared.refusal !== undefined || permission === undefined) {
    return [{ ...call, kind: 'proposed', ...(prepared.refusal !== undefined && { error: prepared.refusal }) }];
  }
  const { effect, ruleId } = permission;
  const decided = { ...call, decision: effect, ...(ruleId !== undefined && { ruleId }) };
  const isPending = effect === 'ask' || (effect === 'allow' && prepared.tool.awaitsAnswers === true);
  return [{ ...decided, kind: 'proposed' }, ...(isPending ? [] : [{ ...decided, kind: 'decided' as const }])];
}

/** The record of a user's decision, with the arguments as the user edited them. */
export function decisionRecord<Services>(
  { id, name }: ProposedCall,
  prepared: PreparedCall<Services>,
  verdict: Verdict,
  services: Services,
): CallRecord {
  const answered = verdict.approved && verdict.answers !== undefined;
  const decision = answered ? 'answered' : verdict.approved ? 'approved' : 'rejected';
  return { kind: 'decided', callId: id, tool: name, arguments: argumentsAsRun(prepared, services), decision };
}

/** The record of a call that ran, or that was stopped right before it ran. */
export function executionRecord<Services>(
  { id, name, provenance }: Pick<ProposedCall, 'id' | 'name' | 'provenance'>,
  prepared: PreparedCall<Services>,
  outcome: { readonly success: boolean; readonly error?: string } & Pick<CallOutcome, 'permission'>,
  services: Services,
  plan?: ApprovedPlan,
): CallRecord {
  const { success, error, permission } = outcome;
  const ruleId = permission?.ruleId;
  return {
    kind: 'executed',
    callId: id,
    tool: name,
    arguments: argumentsAsRun(prepared, services),
    success,
    ...(provenance && { provenance }),
    ...recordedPlan(plan, id),
    ...(error !== undefined && { error }),
    ...(ruleId !== undefined && { ruleId }),
  };
}

/** The plan and its approver, for a call that uses one of the plan's grants. */
function recordedPlan(plan: ApprovedPlan | undefined, callId: string): Pick<CallRecord, 'plan'> {
  const grant = plan?.grants.find((each) => each.callId === callId);
  if (plan === undefined || grant === undefined) return {};
  const { callId: plan_id, title, approvedBy: approved_by } = plan;
  return { plan: { plan_id, step_id: grant.step.id, title, approved_by } };
}

function argumentsAsRun<Services>(prepared: PreparedCall<Services>, services: Services): string {
  if (prepared.refusal !== undefined) return prepared.arguments;
  return JSON.stringify(permissionRequestOf(prepared, services).args);
}
