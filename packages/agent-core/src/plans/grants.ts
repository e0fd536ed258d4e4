import type { PlanReference, PlanStepState } from '@docwright/contract';
import { isDeepStrictEqual } from 'node:util';
import type { Baseline } from '../tool/baseline.ts';
import type { Toolset } from '../tool/toolset.ts';
import { needsOf, type Plan, type PlanStep } from './plan-steps.ts';
import { fillPlaces, openPlaces, valueAt, type OpenPlace } from './slots.ts';

/** One step of an approved plan: the grant of one call. Plain JSON. */
export interface Grant {
  readonly step: PlanStep;
  readonly state: PlanStepState;
  /** The call that took it. */
  readonly callId?: string;
  /** What the person saw on the card of what it changes; absent where that was not known yet. */
  readonly baseline?: Baseline;
}

/** An approved plan. Ends with the turn; its grants end before, where a step that another one needs fails. */
export interface ApprovedPlan {
  /** Of the call that proposed it. */
  readonly callId: string;
  readonly title: string;
  /** The id of the user who approved it. */
  readonly approvedBy: string;
  readonly grants: readonly Grant[];
}

/** A call that might be granted. */
interface GrantedCall {
  readonly tool: string;
  /** As the tool's parameters read them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly chosenByDocument?: readonly string[];
}

/** What came of a call of this turn, undefined where it has not succeeded. */
type ResultOf = (callId: string) => unknown;

export function approvedPlan(
  callId: string,
  plan: Plan,
  approvedBy: string,
  baselines: Readonly<Record<string, Baseline>>,
): ApprovedPlan {
  const grants = plan.steps.map((step): Grant => {
    const baseline = baselines[step.id];
    return { step, state: 'waiting', ...(baseline && { baseline }) };
  });
  return { callId, title: plan.title, approvedBy, grants };
}

/**
 * The first unused grant that covers a call: this tool with these arguments, open places filled with what earlier steps
 * returned or, within their length, by the model. None where a document chose what an open place is filled with.
 */
export function grantFor<Services>(
  { grants }: ApprovedPlan,
  tools: Pick<Toolset<Services>, 'get'>,
  call: GrantedCall,
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
  { args, chosenByDocument = [] }: GrantedCall,
  resultOf: ResultOf,
): boolean {
  const { places } = openPlaces(step.arguments);
  if (places.some(({ path }) => chosenByDocument.some((each) => isWithin(each, path.join('.'))))) return false;
  let isFilled = true;
  const filled = fillPlaces(step.arguments, (place) => {
    const value = fillingOf(grants, place, args, resultOf);
    isFilled &&= value !== undefined;
    return value;
  });
  if (!isFilled) return false;
  const expected = tools.get(step.tool)?.parameters.safeParse(filled);
  return expected?.success === true && isDeepStrictEqual(plain(expected.data), plain(args));
}

/** What an open place of the call has to hold; undefined where nothing would do. */
function fillingOf(
  grants: readonly Grant[],
  { path, slot }: OpenPlace,
  args: GrantedCall['args'],
  resultOf: ResultOf,
): unknown {
  if ('$from' in slot) {
    const source = grants.find(({ step }) => step.id === slot.$from);
    if (source?.state !== 'done' || source.callId === undefined) return undefined;
    return valueAt(resultOf(source.callId), slot.path.split('.'));
  }
  const written = valueAt(args, path);
  const length = typeof written === 'string' ? written.length : (JSON.stringify(written)?.length ?? Infinity);
  return length <= slot.max_length ? written : undefined;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The plan with one grant taken by a call. */
export function takeGrant(plan: ApprovedPlan, stepId: string, callId: string): ApprovedPlan {
  return withGrants(plan, (grant) => (grant.step.id === stepId ? { ...grant, state: 'running', callId } : grant));
}

/** The grant that a call took, where it still holds. */
export function heldGrant(plan: ApprovedPlan | undefined, callId: string): Grant | undefined {
  return plan?.grants.find((grant) => grant.callId === callId && grant.state === 'running');
}

/**
 * The plan after a call that had taken a grant. Where a step fails that another one needs, all grants that are left end,
 * those that calls have taken and not used included.
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

/** The plan with what its steps see now, by step id. */
export function moveGrants(plan: ApprovedPlan, baselines: ReadonlyMap<string, Baseline>): ApprovedPlan {
  return withGrants(plan, (grant) => {
    const baseline = baselines.get(grant.step.id);
    return baseline === undefined ? grant : { ...grant, baseline };
  });
}

export function referenceTo(plan: ApprovedPlan, grant: Grant): PlanReference {
  return { plan_id: plan.callId, step_id: grant.step.id };
}

function withGrants(plan: ApprovedPlan, change: (grant: Grant) => Grant): ApprovedPlan {
  return { ...plan, grants: plan.grants.map(change) };
}
