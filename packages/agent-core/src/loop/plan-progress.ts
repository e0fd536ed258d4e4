import { isDeepStrictEqual } from 'node:util';
import type { Toolset } from '../tool/toolset.ts';
import type { PlanStepState, Preview, ProposedCall, TurnEvent } from '@docwright/contract';
import {
  approvedPlan,
  grantFor,
  heldGrant,
  refreshGrants,
  referenceTo,
  settleGrant,
  takeGrant,
  type ApprovedPlan,
  type Grant,
} from '../plans/grants.ts';
import { planParameters, type Plan, type PlanStep } from '../plans/plan-steps.ts';
import { choosingArguments, literalArguments } from '../plans/propose-plan.ts';
import { labelArguments, type CallProvenance } from '../provenance/label-arguments.ts';
import { inSteps, type SeenContent } from '../provenance/seen-content.ts';
import { differenceBetween, type Baseline } from '../tool/baseline.ts';
import { emittedProvenance } from './call-provenance.ts';
import type { ValidCall } from './prepare-call.ts';
import { baselineOf, refreshBaselines } from './stale-proposal.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';

type PlanStepEvent = Extract<TurnEvent, { type: 'plan_step' }>;

/** Baselines of a plan's steps at its proposal, by step id. A step whose target is open has none. */
export async function stepBaselines<Services>(
  run: TurnRun<Services>,
  callId: string,
  { tool, args }: ValidCall<Services>,
): Promise<Record<string, Baseline>> {
  const seen: Record<string, Baseline> = {};
  if (tool.proposesPlan !== true) return seen;
  for (const step of planParameters.parse(args).steps) {
    const choosing = choosingArguments(run.profile.tools, step);
    const baseline = choosing && (await baselineOf({ ...choosing, arguments: '' }, contextMaker(run, callId)()));
    if (baseline !== undefined) seen[step.id] = baseline;
  }
  return seen;
}

/** Adds the provenance of each step's arguments to a plan's preview. */
export async function withStepProvenance<Services>(
  { profile }: TurnRun<Services>,
  preview: Preview | undefined,
  seen: () => Promise<SeenContent>,
): Promise<Preview | undefined> {
  if (preview?.kind !== 'plan') return preview;
  const content = await seen();
  const steps: typeof preview.steps = [];
  const labelEach = function* (): Generator<void, void> {
    for (const step of preview.steps) {
      const tool = profile.tools.get(step.tool);
      const isRead = tool === undefined || tool.effect === 'read';
      const args = (): Record<string, unknown> => JSON.parse(step.arguments) as Record<string, unknown>;
      const known = isRead ? undefined : labelArguments(tool, args(), {}, content);
      yield void steps.push({ ...step, ...emittedProvenance(known) });
    }
  };
  await inSteps(labelEach());
  return { ...preview, steps };
}

/**
 * Finds and takes the grant that covers a call, so that no user has to approve it. A grant does not cover a call whose
 * target others have changed since the plan was proposed.
 */
export async function findGrant<Services>(
  run: TurnRun<Services>,
  callId: string,
  { tool, args }: ValidCall<Services>,
  provenance: CallProvenance | undefined,
  { baseline, isGuarded }: { baseline: Baseline | undefined; isGuarded: boolean },
): Promise<Grant | undefined> {
  const { plan } = run.progress;
  if (plan === undefined) return undefined;
  const call = { tool: tool.name, args, ...(provenance && { chosenByDocument: provenance.chosenByDocument }) };
  const grant = grantFor(plan, run.profile.tools, call, (id) => run.progress.resultOf(id));
  if (grant === undefined) return undefined;
  // Values that a user corrected are replaced only if the plan's card showed them.
  if (isGuarded && grant.isShown !== true) return undefined;
  if (
    grant.baseline !== undefined &&
    (baseline === undefined || differenceBetween(grant.baseline, baseline) !== undefined)
  ) {
    return undefined;
  }
  run.progress.plan = takeGrant(plan, grant.step.id, callId);
  return grant;
}

/** Whether the call still holds a grant. */
export function isGranted<Services>({ progress }: TurnRun<Services>, callId: string): boolean {
  return heldGrant(progress.plan, callId) !== undefined;
}

/** The plan step that a call uses, as calls and audit entries name it. */
export function planOf(plan: ApprovedPlan | undefined, callId: string): Pick<ProposedCall, 'plan'> {
  const grant = plan?.grants.find((each) => each.callId === callId);
  return plan && grant ? { plan: referenceTo(plan, grant) } : {};
}

/** Applies the user's decision on a plan. The previous plan ends in any case. */
export function decidePlan<Services>(
  { progress, approver, profile }: TurnRun<Services>,
  call: ProposedCall,
  approved: Plan | undefined,
  baselines: ReadonlyMap<string, Baseline>,
): PlanStepEvent[] {
  const ended = endedStepEvents(progress.plan);
  progress.plan = undefined;
  if (approved === undefined) return ended;
  const proposed = planParameters.parse(JSON.parse(call.arguments)).steps;
  const plan = approvedPlan(call.id, approved, approver ?? progress.start.owner.userId, (step) => {
    const before = proposed.find(({ id }) => id === step.id);
    const baseline = baselines.get(`${call.id}/${step.id}`);
    const isLiteral = literalArguments(profile.tools, step) !== undefined;
    const isShown = isLiteral && isDeepStrictEqual(before?.arguments, step.arguments);
    // A step that was edited to work on another object has no known state: it was read for the first one.
    const isSame = before !== undefined && worksOnTheSame(profile.tools, before, step);
    return { ...(isSame && baseline && { baseline }), ...(isShown && { isShown }) };
  });
  progress.plan = plan;
  const states = proposed.map(({ id }): PlanStepEvent => {
    const state: PlanStepState = approved.steps.some((step) => step.id === id) ? 'waiting' : 'skipped';
    return { type: 'plan_step', plan_id: call.id, id, state };
  });
  return [...ended, ...states];
}

function worksOnTheSame<Services>(tools: Pick<Toolset<Services>, 'get'>, one: PlanStep, other: PlanStep): boolean {
  const [before, after] = [choosingArguments(tools, one), choosingArguments(tools, other)];
  return before !== undefined && after !== undefined && isDeepStrictEqual(before.args, after.args);
}

/** Events for the start of a granted call. */
export function stepStartEvents<Services>({ progress: { plan } }: TurnRun<Services>, callId: string): PlanStepEvent[] {
  const grant = heldGrant(plan, callId);
  return plan && grant ? [stepEvent(plan, grant)] : [];
}

/** Updates the plan after a call has run. Returns events for its step and for the steps whose grants end with it. */
export function settleStep<Services>(
  { progress }: TurnRun<Services>,
  callId: string,
  success: boolean,
): PlanStepEvent[] {
  const before = progress.plan;
  if (before === undefined) return [];
  const after = settleGrant(before, callId, success);
  progress.plan = after;
  return after.grants.flatMap((grant, at) =>
    grant.state === before.grants[at]?.state ? [] : [stepEvent(after, grant)],
  );
}

/** Refreshes the plan's baselines after a write, so that the turn's own changes do not make its plan stale. */
export async function refreshPlanBaselines<Services>(
  run: TurnRun<Services>,
  done: Baseline | undefined,
): Promise<void> {
  const { plan } = run.progress;
  if (plan === undefined) return;
  const waiting = plan.grants.filter(({ state, baseline }) => state === 'waiting' && baseline !== undefined);
  const baselines = new Map(waiting.flatMap(({ step, baseline }) => (baseline ? [[step.id, baseline]] : [])));
  const remainingCalls = waiting.flatMap(({ step }) => {
    const choosing = choosingArguments(run.profile.tools, step);
    return choosing
      ? [{ id: step.id, call: { ...choosing, arguments: '' }, context: contextMaker(run, plan.callId)() }]
      : [];
  });
  await refreshBaselines(baselines, done, remainingCalls);
  run.progress.plan = refreshGrants(plan, baselines);
}

function endedStepEvents(plan: ApprovedPlan | undefined): PlanStepEvent[] {
  if (plan === undefined) return [];
  const open = plan.grants.filter(({ state }) => state === 'waiting' || state === 'running');
  return open.map((grant) => stepEvent(plan, { ...grant, state: 'ended' }));
}

function stepEvent(plan: ApprovedPlan, { step, state, callId }: Grant): PlanStepEvent {
  return {
    type: 'plan_step',
    plan_id: plan.callId,
    id: step.id,
    state,
    ...(callId !== undefined && { call_id: callId }),
  };
}
