import { DomainError, type PlanStepDecision } from '@docwright/contract';
import { z } from 'zod';
import { parseBoundedJson } from '../llm/json-bounds.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolset } from '../tool/toolset.ts';
import { fillPlaces, openPlaces, type OpenPlace } from './slots.ts';

const maxSteps = 30;

const planStep = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'A step’s id has up to 40 letters, digits, - or _.')
    .describe('A short id, unique in the plan, for example "schema".'),
  tool: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()).describe('The arguments of the call. Any of them may be a slot.'),
  why: z.string().max(500).default('').describe('The reason, in a few words for the person.'),
});
export type PlanStep = z.output<typeof planStep>;

export const planParameters = z.strictObject({
  title: z.string().trim().min(1).max(200).describe('The purpose of the plan, in a few words.'),
  steps: z.array(planStep).min(1).max(maxSteps).describe('The steps, in the order of the calls.'),
});
export type Plan = z.output<typeof planParameters>;

/** The ids of the steps whose results a step uses. */
export function needsOf(step: Pick<PlanStep, 'arguments'>): string[] {
  const needed = openPlaces(step.arguments).places.flatMap(({ slot }) => ('$from' in slot ? [slot.$from] : []));
  return [...new Set(needed)];
}

/**
 * Checks a plan against the tools. Throws a DomainError that names the step and the problem. The arguments must fit the
 * tool's parameters, except in open places.
 */
export function checkPlan<Services>(tools: Toolset<Services>, steps: readonly PlanStep[]): void {
  const before = new Set<string>();
  for (const step of steps) {
    const stepError = (what: string) => new DomainError('invalid', 'invalid_plan', `Step "${step.id}": ${what}`);
    if (before.has(step.id)) throw stepError('another step has this id; ids are unique in a plan.');
    const tool = tools.get(step.tool);
    if (tool === undefined) throw stepError(`there is no tool called ${step.tool}.`);
    if (tool.awaitsAnswers === true || tool.proposesPlan === true || tool.runsPlan === true)
      throw stepError(`${step.tool} cannot be a step of a plan.`);
    const { places, malformed } = openPlaces(step.arguments);
    if (malformed.length > 0) throw stepError(`${malformed[0]} is no slot. ${slotForms}`);
    for (const { slot, path } of places) {
      if ('$from' in slot && !before.has(slot.$from)) {
        throw stepError(`${path.join('.')} is to come from "${slot.$from}", which is no step before it.`);
      }
    }
    const misfit = argumentIssues(tool, step.arguments, places);
    if (misfit !== undefined) throw stepError(`the arguments do not fit ${step.tool}: ${misfit}`);
    before.add(step.id);
  }
}

const slotForms =
  'A slot is {"$from":"<id of a step before>","path":"<path in its result>"} or {"$model":"json","max_length":<characters>}.';

/** The issues of a step's arguments, except those in open places. */
function argumentIssues<Services>(
  { parameters }: Tool<Services>,
  args: Record<string, unknown>,
  places: readonly OpenPlace[],
): string | undefined {
  // A symbol fits no parameter: each open place gets an issue, and none hides an issue beside it.
  const unfilled = fillPlaces(args, () => Symbol.for('open'));
  const { error } = parameters.safeParse(unfilled);
  const issues = (error?.issues ?? []).filter(
    ({ path }) => !places.some((place) => isPrefixOfOther(place.path, path.map(String))),
  );
  return issues.length === 0 ? undefined : z.prettifyError({ issues });
}

/** Whether one path is a prefix of the other. */
function isPrefixOfOther(one: readonly string[], other: readonly string[]): boolean {
  return (
    other.length > 0 &&
    Array.from({ length: Math.min(one.length, other.length) }).every((_, at) => one[at] === other[at])
  );
}

/**
 * Returns the plan after the user's decisions: without removed steps and the steps that need them, and with edited
 * arguments. Throws a DomainError of kind `unprocessable` for an unknown step, arguments that are not a JSON object, an
 * approved step that needs a removed one, and a plan without steps.
 */
export function applyStepDecisions(plan: Plan, decisions: readonly PlanStepDecision[]): Plan {
  const decisionOf = new Map<string, PlanStepDecision>();
  for (const decision of decisions) {
    if (!plan.steps.some(({ id }) => id === decision.id)) throw invalidPlan(`The plan has no step "${decision.id}".`);
    if (decisionOf.has(decision.id)) throw invalidPlan(`There are two decisions on the step "${decision.id}".`);
    decisionOf.set(decision.id, decision);
  }
  const removed = new Set<string>();
  const steps: PlanStep[] = [];
  for (const step of plan.steps) {
    const decision = decisionOf.get(step.id);
    const edited =
      decision?.arguments === undefined ? step : { ...step, arguments: parseArguments(step.id, decision.arguments) };
    const missing = needsOf(edited).find((id) => removed.has(id));
    if (decision?.approved === false || (missing !== undefined && decision === undefined)) {
      removed.add(step.id);
      continue;
    }
    if (missing !== undefined) {
      throw invalidPlan(
        `The step "${step.id}" needs the result of "${missing}", which was removed. Remove both, or edit it.`,
      );
    }
    steps.push(edited);
  }
  if (steps.length === 0) throw invalidPlan('No step of the plan is left. Reject the plan instead.');
  return { ...plan, steps };
}

function parseArguments(id: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = parseBoundedJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Thrown below.
  }
  throw invalidPlan(`The arguments of the step "${id}" are not a JSON object, or are nested too deeply.`);
}

function invalidPlan(message: string): DomainError {
  return new DomainError('unprocessable', 'invalid_plan', message);
}
