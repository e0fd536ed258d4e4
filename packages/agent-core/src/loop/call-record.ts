import type { AuditDecision, ProposedCall, Provenance } from '@docwright/contract';
import type { ApprovedPlan } from '../plans/grants.ts';
import type { CallPermission } from '../permissions/permission.ts';
import type { Verdict } from './approval.ts';
import { questionOf, type CallOutcome } from './call-tool.ts';
import type { PreparedCall } from './prepare-call.ts';

/** One step of a call through the loop. A call has at most one record of each kind, whatever is killed and retried. */
export interface CallRecord {
  readonly kind: 'proposed' | 'decided' | 'executed';
  readonly callId: string;
  readonly tool: string;
  /** As JSON, as they stand at this step and as a rule sees them: defaults and what is implied are filled in. */
  readonly arguments: string;
  readonly decision?: AuditDecision;
  /** The permission rule that decided, where one did. */
  readonly ruleId?: string;
  readonly success?: boolean;
  readonly error?: string;
  /** Of a write: where each argument came from. */
  readonly provenance?: Provenance;
  /** The approved plan that let the call run. */
  readonly plan?: { plan_id: string; step_id: string; title: string; approved_by: string };
}

/**
 * Receives every step, and is awaited: what is proposed and decided is written down before anything runs. The same record
 * may come again after a crash and shall then change nothing.
 */
export type RecordCalls = (records: readonly CallRecord[]) => Promise<void>;

/** That a call was proposed, and how it was decided where no person has to be asked. */
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
  const said = { ...call, decision: effect, ...(ruleId !== undefined && { ruleId }) };
  const waits = effect === 'ask' || (effect === 'allow' && prepared.tool.awaitsAnswers === true);
  return [{ ...said, kind: 'proposed' }, ...(waits ? [] : [{ ...said, kind: 'decided' as const }])];
}

/** What a person said about a call, whose arguments may be theirs. */
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

/** What came of a call that was let run, or was stopped right before it would have. */
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

/** The plan and its approver, of a call that took one of its grants. */
function recordedPlan(plan: ApprovedPlan | undefined, callId: string): Pick<CallRecord, 'plan'> {
  const grant = plan?.grants.find((each) => each.callId === callId);
  if (plan === undefined || grant === undefined) return {};
  const { callId: plan_id, title, approvedBy: approved_by } = plan;
  return { plan: { plan_id, step_id: grant.step.id, title, approved_by } };
}

function argumentsAsRun<Services>(prepared: PreparedCall<Services>, services: Services): string {
  if (prepared.refusal !== undefined) return prepared.arguments;
  return JSON.stringify(questionOf(prepared, services).args);
}
