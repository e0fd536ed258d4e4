import type { PlanStepState, ProposedCall, TurnEvent } from '@docwright/contract';
import {
  approvedPlan,
  grantFor,
  heldGrant,
  moveGrants,
  referenceTo,
  settleGrant,
  takeGrant,
  type ApprovedPlan,
  type Grant,
} from '../plans/grants.ts';
import { planParameters, type Plan } from '../plans/plan-steps.ts';
import { literalArguments } from '../plans/propose-plan.ts';
import { labelArguments, type CallProvenance } from '../provenance/label-arguments.ts';
import type { SeenContent } from '../provenance/seen-content.ts';
import { differenceBetween, type Baseline } from '../tool/baseline.ts';
import type { Preview } from '@docwright/contract';
import { emittedProvenance } from './call-provenance.ts';
import type { FitCall } from './prepare-call.ts';
import { baselineOf, moveBaselines } from './stale-proposal.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';

type PlanStepEvent = Extract<TurnEvent, { type: 'plan_step' }>;

/** What the literal steps of a plan see when it is proposed, by step id. */
export async function stepBaselines<Services>(
  run: TurnRun<Services>,
  callId: string,
  { tool, args }: FitCall<Services>,
): Promise<Record<string, Baseline>> {
  const seen: Record<string, Baseline> = {};
  if (tool.proposesPlan !== true) return seen;
  for (const step of planParameters.parse(args).steps) {
    const literal = literalArguments(run.profile.tools, step);
    const baseline = literal && (await baselineOf({ ...literal, arguments: '' }, contextMaker(run, callId)()));
    if (baseline !== undefined) seen[step.id] = baseline;
  }
  return seen;
}

/** A plan's preview with the origin of each step's arguments. */
export async function withStepProvenance<Services>(
  { profile }: TurnRun<Services>,
  preview: Preview | undefined,
  seen: () => Promise<SeenContent>,
): Promise<Preview | undefined> {
  if (preview?.kind !== 'plan') return preview;
  const content = await seen();
  const steps = preview.steps.map((step) => {
    const tool = profile.tools.get(step.tool);
    if (tool === undefined || tool.effect === 'read_only') return step;
    const known = labelArguments(tool, JSON.parse(step.arguments) as Record<string, unknown>, {}, content);
    return { ...step, ...emittedProvenance(known) };
  });
  return { ...preview, steps };
}

/**
 * The grant that covers a call which a person would otherwise be asked about. Nothing is covered whose target has been
 * changed by somebody else since the plan was proposed.
 */
export async function findGrant<Services>(
  run: TurnRun<Services>,
  callId: string,
  { tool, args }: FitCall<Services>,
  known: CallProvenance | undefined,
  { baseline, isGuarded }: { baseline: Baseline | undefined; isGuarded: boolean },
): Promise<Grant | undefined> {
  const { plan } = run.progress;
  if (plan === undefined) return undefined;
  const call = { tool: tool.name, args, ...(known && { chosenByDocument: known.chosenByDocument }) };
  const grant = grantFor(plan, run.profile.tools, call, (id) => run.progress.resultOf(id));
  if (grant === undefined) return undefined;
  // What a person made right is replaced only where the card of the plan could show it.
  if (isGuarded && grant.baseline === undefined) return undefined;
  if (
    grant.baseline !== undefined &&
    (baseline === undefined || differenceBetween(grant.baseline, baseline) !== undefined)
  ) {
    return undefined;
  }
  run.progress.plan = takeGrant(plan, grant.step.id, callId);
  return grant;
}

/** Whether a grant still covers a call that had taken it. */
export function isGranted<Services>({ progress }: TurnRun<Services>, callId: string): boolean {
  return heldGrant(progress.plan, callId) !== undefined;
}

/** How a call carries the step that let it run, and as the audit names it. */
export function planOf(plan: ApprovedPlan | undefined, callId: string): Pick<ProposedCall, 'plan'> {
  const grant = plan?.grants.find((each) => each.callId === callId);
  return plan && grant ? { plan: referenceTo(plan, grant) } : {};
}

/** A person has decided on a plan: it takes the place of the one before, whose grants end either way. */
export function decidePlan<Services>(
  { progress, approver }: TurnRun<Services>,
  call: ProposedCall,
  approved: Plan | undefined,
  baselines: ReadonlyMap<string, Baseline>,
): PlanStepEvent[] {
  const ended = endPlan(progress.plan);
  progress.plan = undefined;
  if (approved === undefined) return ended;
  const proposed = planParameters.parse(JSON.parse(call.arguments)).steps;
  const seen = Object.fromEntries(
    approved.steps.flatMap(({ id, arguments: args }) => {
      const before = proposed.find((step) => step.id === id);
      const baseline = baselines.get(`${call.id}/${id}`);
      // Of an edited step nobody has looked at what it would change.
      const isAsShown = before !== undefined && JSON.stringify(before.arguments) === JSON.stringify(args);
      return isAsShown && baseline ? [[id, baseline]] : [];
    }),
  ) as Record<string, Baseline>;
  const plan = approvedPlan(call.id, approved, approver ?? progress.start.owner.userId, seen);
  progress.plan = plan;
  const states = proposed.map(({ id }): PlanStepEvent => {
    const state: PlanStepState = approved.steps.some((step) => step.id === id) ? 'waiting' : 'skipped';
    return { type: 'plan_step', plan_id: call.id, id, state };
  });
  return [...ended, ...states];
}

/** That a granted call begins to run. */
export function startingStep<Services>({ progress: { plan } }: TurnRun<Services>, callId: string): PlanStepEvent[] {
  const grant = heldGrant(plan, callId);
  return plan && grant ? [stepEvent(plan, grant)] : [];
}

/** After a call has run: its step, and those whose grants end with it. */
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

/** What this turn changed itself does not make its plan stale. */
export async function movePlan<Services>(run: TurnRun<Services>, done: Baseline | undefined): Promise<void> {
  const { plan } = run.progress;
  if (plan === undefined) return;
  const waiting = plan.grants.filter(({ state, baseline }) => state === 'waiting' && baseline !== undefined);
  const baselines = new Map(waiting.flatMap(({ step, baseline }) => (baseline ? [[step.id, baseline]] : [])));
  const following = waiting.flatMap(({ step }) => {
    const literal = literalArguments(run.profile.tools, step);
    return literal
      ? [{ id: step.id, call: { ...literal, arguments: '' }, context: contextMaker(run, plan.callId)() }]
      : [];
  });
  await moveBaselines(baselines, done, following);
  run.progress.plan = moveGrants(plan, baselines);
}

function endPlan(plan: ApprovedPlan | undefined): PlanStepEvent[] {
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
