import { differenceBetween, type Baseline } from '../tool/baseline.ts';
import type { ToolContext } from '../tool/tool.ts';
import { undefinedOnDomainError } from '../tool/undefined-on-domain-error.ts';
import type { ValidCall } from './prepare-call.ts';

/** Baselines of pending writes, by call id. They follow the turn's own changes, not those of others. */
export type Baselines = Map<string, Baseline>;

/**
 * Whether the database has a write of this call. A call that was interrupted between its write and its result runs again
 * and returns the lost result.
 */
export type WasApplied = (callId: string) => Promise<boolean>;

/**
 * Returns the reason why an evaluation no longer applies to the call that was approved with it; undefined if it applies.
 * `args` are the arguments that would run.
 */
export type CheckEvidence = (
  evaluationId: string,
  call: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; readonly callId: string },
) => Promise<string | undefined>;

/** Like `staleReason`, for the evaluation that the call was approved with. */
export async function staleEvidenceReason<Services>(
  { checkEvidence, wasApplied }: { checkEvidence?: CheckEvidence; wasApplied?: WasApplied },
  evaluationId: string,
  { tool, args }: ValidCall<Services>,
  { origin: { call_id } }: ToolContext<Services>,
): Promise<string | undefined> {
  const reason = await checkEvidence?.(evaluationId, { tool: tool.name, args, callId: call_id });
  if (reason === undefined || (await wasApplied?.(call_id))) return undefined;
  return `stale_proposal: ${reason} It was not run.`;
}

/** The current state of a write's targets; undefined if the tool has no baseline or the target does not exist. */
export async function baselineOf<Services>(
  { tool, args }: ValidCall<Services>,
  context: ToolContext<Services>,
): Promise<Baseline | undefined> {
  return await undefinedOnDomainError(() => tool.baseline?.(context, args));
}

/**
 * The reason why a call is stale, as an error text for the model and the user; undefined if it is not. If the user edited
 * the arguments, only objects that both the proposal and the edited call work on are compared.
 *
 * @example
 * import { prepareCall, staleReason, taskAgentTools, type TaskAgentServices, type ToolContext } from '@docwright/agent-core';
 *
 * declare const context: ToolContext<TaskAgentServices>;
 * const call = prepareCall(taskAgentTools, 'complete_task', '{"task_id":"64a0c0ffee64a0c0ffee0001"}');
 * if (call.refusal === undefined) {
 *   const reason = await staleReason(call, context, { baseline: [], isEdited: false });
 * }
 */
export async function staleReason<Services>(
  call: ValidCall<Services>,
  context: ToolContext<Services>,
  seen: { baseline: Baseline; isEdited: boolean },
  wasApplied: WasApplied = async () => false,
): Promise<string | undefined> {
  const stale = await findDifference(call, context, seen);
  return stale === undefined || (await wasApplied(context.origin.call_id)) ? undefined : staleMessage(stale);
}

async function findDifference<Services>(
  call: ValidCall<Services>,
  context: ToolContext<Services>,
  seen: { baseline: Baseline; isEdited: boolean },
): Promise<string | undefined> {
  const now = await baselineOf(call, context);
  const names = seen.baseline.map(({ name }) => name).join(' or ');
  if (now === undefined) return seen.isEdited ? undefined : `the ${names} is no longer there`;
  const common = seen.baseline.filter(({ thing }) => now.some((each) => each.thing === thing));
  return differenceBetween(seen.isEdited ? common : seen.baseline, now);
}

/**
 * Refreshes the baselines of later calls after a call of the batch has run. The object that the call changed gets its new
 * state. A call that now has other targets, because the working state changed, gets a new baseline.
 */
export async function refreshBaselines<Services>(
  baselines: Baselines,
  done: Baseline | undefined,
  laterCalls: readonly { id: string; call: ValidCall<Services>; context: ToolContext<Services> }[],
): Promise<void> {
  const changed = done?.[0]?.thing;
  for (const { id, call, context } of laterCalls) {
    const before = baselines.get(id);
    if (before === undefined) continue;
    const now = await baselineOf(call, context);
    if (now === undefined) continue;
    const hasSameTargets = now.every(({ thing }, at) => before[at]?.thing === thing) && now.length === before.length;
    const refreshed = now.map((state, at) => (state.thing === changed ? state : (before[at] ?? state)));
    baselines.set(id, hasSameTargets ? refreshed : now);
  }
}

function staleMessage(change: string): string {
  return `stale_proposal: ${change} since this call was proposed. It was not run. Read what is there now and propose it anew.`;
}
