import type { PlanReference, PlanStepState } from '@docwright/contract';
import { isDeepStrictEqual } from 'node:util';
import type { Baseline } from '../tool/baseline.ts';
import type { Toolset } from '../tool/toolset.ts';
import { needsOf, type Plan, type PlanStep } from './plan-steps.ts';
import { fillPlaces, openPlaces, valueAt, type OpenPlace } from './slots.ts';

/** The grant of one call: a step of an approved plan. Plain JSON. */
export interface Grant {
  readonly step: PlanStep;
  readonly state: PlanStepState;
  /** The call that took the grant. */
  readonly callId?: string;
  /** The state of the step's targets at its proposal; absent if it was unknown at the approval. */
  readonly baseline?: Baseline;
  /** The plan's card showed what the call does: the step has no open places, and the user has not edited it. */
  readonly isShown?: true;
}

/** An approved plan. It ends with the turn. Its grants end earlier if a step fails that another step needs. */
export interface ApprovedPlan {
  /** The id of the call that proposed the plan. */
  readonly callId: string;
  readonly title: string;
  /** The id of the user who approved it. */
  readonly approvedBy: string;
  readonly grants: readonly Grant[];
}

/** A call that a grant might cover. */
interface CallToCover {
  readonly tool: string;
  /** The parsed arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly chosenByDocument?: readonly string[];
}

/** The result of a call of this turn; undefined if the call has not succeeded. */
export type ResultOf = (callId: string) => unknown;

/** The plan after its approval: one unused grant for each step, with what the user saw of it. */
export function approvedPlan(
  callId: string,
  plan: Plan,
  approvedBy: string,
  seenOf: (step: PlanStep) => Pick<Grant, 'baseline' | 'isShown'>,
): ApprovedPlan {
  const grants = plan.steps.map((step): Grant => ({ step, state: 'waiting', ...seenOf(step) }));
  return { callId, title: plan.title, approvedBy, grants };
}

/**
 * The first unused grant that covers a call. A grant covers a call with the same tool and arguments; open places hold
 * results of earlier steps, or a value of the model within the maximum length. A grant does not cover a call if a document
 * chose the value of an open place.
 */
export function grantFor<Services>(
  { grants }: ApprovedPlan,
  tools: Pick<Toolset<Services>, 'get'>,
  call: CallToCover,
  resultOf: ResultOf,
): Grant | undefined {
  return grants.find(
    (grant) =>
      grant.state === 'waiting' && grant.step.tool === call.tool && covers(grants, tools, grant, call, resultOf),
  );
}

function covers<Services>(
  grants: readonly Grant[],
  tools: Pick<Toolset<Services>, 'get'>,
  { step }: Grant,
  { args, chosenByDocument = [] }: CallToCover,
  resultOf: ResultOf,
): boolean {
  const { places } = openPlaces(step.arguments);
  if (places.some(({ path }) => chosenByDocument.some((chosen) => isInside(chosen, path.join('.'))))) return false;
  let isFilled = true;
  const filled = fillPlaces(step.arguments, (place) => {
    const value = expectedValue(grants, place, args, resultOf);
    isFilled &&= value !== undefined;
    return value;
  });
  if (!isFilled) return false;
  const expected = tools.get(step.tool)?.parameters.safeParse(filled);
  return expected?.success === true && isDeepStrictEqual(toJson(expected.data), toJson(args));
}

/** The value that a call must have in an open place; undefined if no value is covered. */
function expectedValue(
  grants: readonly Grant[],
  { path, slot }: OpenPlace,
  args: CallToCover['args'],
  resultOf: ResultOf,
): unknown {
  if ('$from' in slot) return resultInSlot(grants, slot, resultOf);
  const written = valueAt(args, path);
  const length = typeof written === 'string' ? written.length : (JSON.stringify(written)?.length ?? Infinity);
  return length <= slot.max_length ? written : undefined;
}

/** The value of a slot in the result of its step; undefined if the step has not succeeded or its result has none. */
export function resultInSlot(
  grants: readonly Grant[],
  slot: { readonly $from: string; readonly path: string },
  resultOf: ResultOf,
): unknown {
  const source = grants.find(({ step }) => step.id === slot.$from);
  if (source?.state !== 'done' || source.callId === undefined) return undefined;
  return valueAt(resultOf(source.callId), slot.path.split('.'));
}

function isInside(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`);
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns the plan with one grant taken by a call. */
export function takeGrant(plan: ApprovedPlan, stepId: string, callId: string): ApprovedPlan {
  return withGrants(plan, (grant) => (grant.step.id === stepId ? { ...grant, state: 'running', callId } : grant));
}

/** The grant that a call has taken, if it is still active. */
export function heldGrant(plan: ApprovedPlan | undefined, callId: string): Grant | undefined {
  return plan?.grants.find((grant) => grant.callId === callId && grant.state === 'running');
}

/**
 * Returns the plan after a call with a grant has run. If a step fails that another step needs, all open grants end,
 * including those that calls have taken but not used.
 */
export function settleGrant(plan: ApprovedPlan, callId: string, success: boolean): ApprovedPlan {
  const settled = heldGrant(plan, callId);
  if (settled === undefined) return plan;
  const isNeeded = plan.grants.some(({ step }) => needsOf(step).includes(settled.step.id));
  return withGrants(plan, (grant) => {
    if (grant === settled) return { ...grant, state: success ? 'done' : 'failed' };
    const isOpen = grant.state === 'waiting' || grant.state === 'running';
    return !success && isNeeded && isOpen ? { ...grant, state: 'ended' } : grant;
  });
}

/** Returns the plan with new baselines, by step id. */
export function refreshGrants(plan: ApprovedPlan, baselines: ReadonlyMap<string, Baseline>): ApprovedPlan {
  return withGrants(plan, (grant) => {
    const baseline = baselines.get(grant.step.id);
    return baseline === undefined ? grant : { ...grant, baseline };
  });
}

/** The plan step of a grant, as calls and audit entries name it. */
export function referenceTo(plan: ApprovedPlan, grant: Grant): PlanReference {
  return { plan_id: plan.callId, step_id: grant.step.id };
}

function withGrants(plan: ApprovedPlan, change: (grant: Grant) => Grant): ApprovedPlan {
  return { ...plan, grants: plan.grants.map(change) };
}
