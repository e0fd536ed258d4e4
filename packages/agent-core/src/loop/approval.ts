import { DomainError, type CallAnswers, type CallDecision, type ProposedCall } from '@docwright/contract';
import { checkPlan, applyStepDecisions, planParameters } from '../plans/plan-steps.ts';
import type { Toolset } from '../tool/toolset.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';
import { prepareCall } from './prepare-call.ts';

/** A user's decision on one pending call. */
export type Verdict =
  | { readonly approved: true; readonly arguments?: string; readonly answers?: CallAnswers['answers'] }
  | { readonly approved: false; readonly reason?: string };

/** A user's decisions and answers for the calls of a batch. */
export interface Decisions {
  readonly approvals: readonly CallDecision[];
  readonly answers: readonly CallAnswers[];
}

/**
 * The verdict on a call of a decided batch. A call without the approval or the answers it needs is rejected. A call that
 * needs neither runs, unless the user rejected it.
 */
export function verdictOn(call: ProposedCall, awaitsAnswers: boolean, decisions: Decisions): Verdict | undefined {
  const decision = decisions.approvals.find((each) => each.call_id === call.id);
  const rejected: Verdict = {
    approved: false,
    ...(decision?.reason === undefined ? {} : { reason: decision.reason }),
  };
  if (awaitsAnswers) {
    const given = decisions.answers.find((each) => each.call_id === call.id);
    if (given === undefined || decision?.approved === false) return rejected;
    return { approved: true, answers: given.answers };
  }
  if (!call.needs_approval) return decision?.approved === false ? rejected : undefined;
  if (decision?.approved !== true) return rejected;
  const edited = editedArguments(call, decision);
  return { approved: true, ...(edited === undefined ? {} : { arguments: edited }) };
}

/**
 * The arguments of a call after the user's edit: new arguments, or a plan with removed and edited steps. Undefined if the
 * user edited nothing. Throws a DomainError of kind `unprocessable` for steps that do not fit the plan.
 *
 * @example
 * import { editedArguments } from '@docwright/agent-core';
 *
 * editedArguments({ arguments: '{"name":"A"}' }, { arguments: '{"name":"B"}' }); // '{"name":"B"}'
 */
export function editedArguments(
  call: Pick<ProposedCall, 'arguments'>,
  { arguments: text, steps }: Pick<CallDecision, 'arguments' | 'steps'>,
): string | undefined {
  // Some generated clients send an empty list instead of omitting it.
  if (steps === undefined || steps.length === 0) return text;
  const plan = planParameters.safeParse(JSON.parse(text ?? call.arguments));
  if (!plan.success) throw unprocessable('invalid_plan', 'Only a plan has steps. Leave "steps" out for this call.');
  return JSON.stringify(applyStepDecisions(plan.data, steps));
}

/**
 * Checks decisions against the pending turn before the turn is taken. Throws a DomainError of kind `unprocessable` for an
 * unknown call, a call that is decided twice, edited arguments that do not fit the tool, and answers that do not fit the
 * questions.
 *
 * @example
 * import { checkDecisions, documentAgentTools, type PendingTurn } from '@docwright/agent-core';
 *
 * declare const turn: PendingTurn;
 * const approvals = turn.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
 * checkDecisions(documentAgentTools, turn, { approvals, answers: [] });
 */
export function checkDecisions<Services>(toolset: Toolset<Services>, turn: PendingTurn, decisions: Decisions): void {
  const calls = new Map(turn.batch.calls.map((call) => [call.id, call]));
  for (const list of [decisions.approvals, decisions.answers]) {
    const seen = new Set<string>();
    for (const { call_id } of list) {
      if (!calls.has(call_id)) throw unprocessable('unknown_call', `No call ${call_id} is pending in this turn.`);
      if (seen.has(call_id)) throw unprocessable('decided_twice', `There are two decisions on call ${call_id}.`);
      seen.add(call_id);
    }
  }
  for (const decision of decisions.approvals) {
    const call = calls.get(decision.call_id);
    const edited = call && editedArguments(call, decision);
    if (edited === undefined || call === undefined) continue;
    const prepared = prepareCall(toolset, call.name, edited);
    if (prepared.refusal !== undefined) throw unprocessable('invalid_arguments', prepared.refusal);
    if (prepared.tool.proposesPlan === true) checkEditedPlan(toolset, edited);
  }
  for (const { call_id, answers } of decisions.answers) {
    const call = calls.get(call_id);
    const prepared = call && prepareCall(toolset, call.name, call.arguments);
    if (prepared?.tool !== undefined) prepared.tool.checkAnswers?.(prepared.args, answers);
  }
}

/** Throws if the steps of an edited plan do not fit their tools. */
function checkEditedPlan<Services>(toolset: Toolset<Services>, text: string): void {
  try {
    checkPlan(toolset, planParameters.parse(JSON.parse(text)).steps);
  } catch (error) {
    if (error instanceof DomainError) throw unprocessable('invalid_plan', error.message);
    throw error;
  }
}

/** Whether the turn pauses at this call. A refused call needs no approval, and its `awaitsAnswers` is false. */
export function needsUser(call: ProposedCall, awaitsAnswers: boolean): boolean {
  return call.needs_approval || awaitsAnswers;
}

function unprocessable(code: string, message: string): DomainError {
  return new DomainError('unprocessable', code, message);
}
