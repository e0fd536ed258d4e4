import { DomainError, lostDigits, parseExactJson, reasonNotStorable } from '@docwright/contract';
import { isDeepStrictEqual } from 'node:util';
import type { ModelToolCall } from '../llm/llm-client.ts';
import { repairedJson } from '../llm/repaired-json.ts';
import type { Toolset } from '../tool/toolset.ts';
import { resultInSlot, type ApprovedPlan, type Grant, type ResultOf } from './grants.ts';
import { needsOf } from './plan-steps.ts';
import { runPlanName } from './run-plan.ts';
import { fillPlaces, openPlaces, valueAt } from './slots.ts';

type Arguments = Record<string, unknown>;

/** A call with the arguments of the plan's step that it names. */
export interface CalledStep extends ModelToolCall {
  /** The arguments as the model wrote them, if they were completed. The plan above already has the others. */
  readonly written?: string;
  /** The reason why the step cannot be called like this. */
  readonly refusal?: string;
}

/**
 * Completes a call that names a step of the approved plan: by `run_plan`, by `step_id` among its arguments, or by a slot
 * that it repeats from the plan. `run_plan` without an id becomes a call of each step that is ready. Other calls are
 * returned as they are. Whether a grant covers the completed call is decided later, as for any call.
 */
export function calledSteps<Services>(
  plan: ApprovedPlan | undefined,
  tools: Pick<Toolset<Services>, 'get'>,
  call: ModelToolCall,
  resultOf: ResultOf,
): readonly CalledStep[] {
  const args = call.truncated === true ? undefined : objectOf(call.arguments);
  if (args === undefined) return [call];
  try {
    if (call.name === runPlanName) return stepsToRun(requirePlan(plan), call, args, resultOf);
    const { step_id: stepId, ...given } = args;
    const tool = tools.get(call.name);
    if (typeof stepId === 'string' && tool !== undefined && !Object.hasOwn(tool.parameters.shape, 'step_id')) {
      const grant = grantOf(requirePlan(plan), stepId);
      if (grant.step.tool !== call.name)
        throw refused(`Step "${stepId}" is a call of ${grant.step.tool}, not of ${call.name}.`);
      return [completed(requirePlan(plan), grant, call, given, resultOf)];
    }
    const repeatsSlot = plan !== undefined && openPlaces(args).places.some(({ slot }) => '$from' in slot);
    if (!repeatsSlot || tool?.proposesPlan === true) return [call];
    return [{ ...call, arguments: JSON.stringify(withResults(plan, args, resultOf)), written: call.arguments }];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [{ ...call, refusal: error.message }];
  }
}

/** The calls that `run_plan` runs. */
function stepsToRun(plan: ApprovedPlan, call: ModelToolCall, args: Arguments, resultOf: ResultOf): CalledStep[] {
  const { step_id: stepId, values } = args;
  const given = typeof values === 'object' && values !== null ? (values as Arguments) : {};
  if (typeof stepId === 'string') return [completed(plan, grantOf(plan, stepId), call, given, resultOf)];
  const waiting = plan.grants.filter(({ state }) => state === 'waiting');
  const ready = waiting.filter(
    ({ step }) => needsOf(step).every((id) => grantOf(plan, id).state === 'done') && valuesOf(step).length === 0,
  );
  if (ready.length > 0) return ready.map((grant) => completed(plan, grant, call, {}, resultOf));
  const [next] = waiting;
  if (next === undefined) throw refused('No step of the plan is left to run.');
  return [completed(plan, next, call, given, resultOf)];
}

/** The call of a step with its approved arguments, its slots filled, and what the model gave beside the id. */
function completed(
  plan: ApprovedPlan,
  { step, state }: Grant,
  call: ModelToolCall,
  given: Arguments,
  resultOf: ResultOf,
): CalledStep {
  if (state === 'done') throw refused(`Step "${step.id}" has already run. A step runs once.`);
  if (state === 'running') throw refused(`Step "${step.id}" is already called in this answer.`);
  const filled = withResults(plan, step.arguments, resultOf);
  const missing = valuesOf(step).filter(({ path }) => valueAt(given, path) === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ path }) => path.join('.'));
    const example = JSON.stringify({ step_id: step.id, values: { [names[0]!.split('.')[0]!]: '…' } });
    throw refused(`Step "${step.id}" needs values for ${names.join(', ')}, for example ${runPlanName} ${example}.`);
  }
  const written = JSON.stringify({ step_id: step.id, ...given });
  const whole = merged(
    fillPlaces(filled, ({ path }) => valueAt(given, path)),
    given,
  );
  return { ...call, name: step.tool, arguments: JSON.stringify(whole), written };
}

/** The places of a step that the model writes. */
export function valuesOf(step: Grant['step']) {
  return openPlaces(step.arguments).places.flatMap(({ path, slot }) =>
    '$from' in slot ? [] : [{ path, maxLength: slot.max_length }],
  );
}

/** Arguments with the results of earlier steps in their slots. Slots of the model stay open. */
function withResults(plan: ApprovedPlan, args: Arguments, resultOf: ResultOf): Arguments {
  return fillPlaces(args, ({ slot }) => {
    if (!('$from' in slot)) return slot;
    const source = grantOf(plan, slot.$from);
    if (source.state !== 'done') {
      const ended = source.state === 'failed' || source.state === 'ended';
      throw refused(
        ended
          ? `Step "${slot.$from}" did not succeed, so it has no ${slot.path}.`
          : `Step "${slot.$from}" has not run yet. Call it first, and this one in the next answer. Nothing was done, and the plan still holds.`,
      );
    }
    const value = resultInSlot(plan.grants, slot, resultOf);
    if (value === undefined) throw refused(`The result of step "${slot.$from}" has no ${slot.path}.`);
    return value;
  }) as Arguments;
}

/** What was given wins: a call that differs from the approved one is not covered, and asks. */
function merged(approved: unknown, given: unknown): Arguments {
  if (!isObject(approved) || !isObject(given) || isDeepStrictEqual(approved, given)) return given as Arguments;
  const changes = Object.entries(given).map(([key, value]) => [key, merged(approved[key], value)] as const);
  return { ...approved, ...Object.fromEntries(changes) };
}

const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requirePlan(plan: ApprovedPlan | undefined): ApprovedPlan {
  if (plan !== undefined) return plan;
  throw refused(
    'No plan is approved in this turn, so no step can be called by its id. Call the tool with its arguments.',
  );
}

function grantOf({ grants }: ApprovedPlan, stepId: string): Grant {
  const grant = grants.find(({ step }) => step.id === stepId);
  if (grant !== undefined) return grant;
  throw refused(`The plan has no step "${stepId}". Its steps: ${grants.map(({ step }) => step.id).join(', ')}.`);
}

/** Undefined if a number would lose digits or it is nested too deeply: the call stays as it was written, and is refused. */
function objectOf(text: string): Arguments | undefined {
  try {
    const exact = parseExactJson(repairedJson(text) ?? text);
    const isWhole = lostDigits(exact) === undefined && reasonNotStorable(exact.value) === undefined;
    return isWhole && isObject(exact.value) ? exact.value : undefined;
  } catch {
    return undefined;
  }
}

function refused(message: string): DomainError {
  return new DomainError('invalid', 'invalid_plan', message);
}
