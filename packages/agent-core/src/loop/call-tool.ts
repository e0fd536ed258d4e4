import { DomainError } from '@docwright/contract';
import type { CallPermission, CallQuestion, Decide } from '../permissions/permission.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { Verdict } from './approval.ts';
import type { CallProvenance } from '../provenance/label-arguments.ts';
import type { FitCall, PreparedCall } from './prepare-call.ts';

/** What came of a call: `content` is what the model reads, `permission` what the rules said right before it ran. */
export type CallOutcome = { readonly content: string; readonly permission?: CallPermission } & (
  | { readonly success: true; readonly result: unknown }
  | { readonly success: false; readonly error: string }
);

/** How a call's context is made; answers are given to the tool that waited for them. */
export type MakeContext<Services> = (
  given?: Pick<ToolContext<Services>, 'answers' | 'isApproved'>,
) => ToolContext<Services>;

/** Why a call must not run although it may: what it would change has moved on since it was proposed. */
export type FindStale<Services> = (
  call: FitCall<Services>,
  context: ToolContext<Services>,
) => Promise<string | undefined>;

/**
 * The only place where a tool is run. Asks for the permission once more, whatever was decided at the proposal: a deny
 * holds over every approval, and what must be asked for runs with an approval alone. A stale proposal does not run.
 * Expected failures (DomainError) become the call's result; anything else is thrown.
 */
export async function callTool<Services>(
  call: PreparedCall<Services>,
  verdict: Verdict | undefined,
  decide: Decide,
  makeContext: MakeContext<Services>,
  findStale: FindStale<Services>,
  { known, isGranted = false }: { known?: CallProvenance | undefined; isGranted?: boolean } = {},
): Promise<CallOutcome> {
  if (call.refusal !== undefined) return failure(call.refusal);
  const { tool, args } = call;
  const isApproved = verdict?.approved === true;
  const context = makeContext({
    // A person approved the plan that names this very call.
    ...((isApproved || isGranted) && { isApproved: true as const }),
    ...(isApproved && verdict.answers && { answers: verdict.answers }),
  });
  const question = { ...(await guardedQuestion(call, context)), ...provenanceFor(known) };
  const { origin, signal } = context;
  const permission = await decide({ ...question, origin, signal });
  if (permission.effect === 'deny') return { ...failure(permission.message), permission };
  if (verdict?.approved === false) return rejection(verdict.reason);
  if (
    tool.awaitsAnswers === true
      ? verdict?.answers === undefined
      : permission.effect === 'ask' && verdict === undefined && !isGranted
  ) {
    return { ...failure('This call needs an approval that it did not get.'), permission };
  }
  try {
    const stale = await findStale(call, context);
    if (stale !== undefined) return { ...failure(stale), permission };
    const isCovered = question.needsRuleOn !== undefined && permission.effect === 'allow';
    const covered = isCovered ? { ...context, isApproved: true as const } : context;
    return { ...outcomeOf(await tool.execute(covered, args)), permission };
  } catch (error) {
    if (error instanceof DomainError) return { ...failure(error.message), permission };
    throw error;
  }
}

/** The call as it will be executed, which is what is decided on. */
export function questionOf<Services>({ tool, args }: FitCall<Services>, services: Services): CallQuestion {
  return { tool: tool.name, effect: tool.effect, args: { ...tool.implied?.(services), ...args } };
}

/** What a decision knows about the origin of the arguments. */
export function provenanceFor(
  known: CallProvenance | undefined,
): Pick<CallQuestion, 'provenance' | 'chosenByDocument'> {
  if (known === undefined) return {};
  const { provenance, chosenByDocument } = known;
  return { provenance, ...(chosenByDocument.length > 0 && { chosenByDocument }) };
}

/** The same, with the argument that a rule has to look at where the call would replace what a person made right. */
export async function guardedQuestion<Services>(
  call: FitCall<Services>,
  context: ToolContext<Services>,
): Promise<CallQuestion> {
  const question = questionOf(call, context.services);
  const { guard } = call.tool;
  if (guard === undefined) return question;
  try {
    const guardReason = await guard.reason(context, call.args);
    return guardReason === undefined ? question : { ...question, needsRuleOn: guard.argument, guardReason };
  } catch (error) {
    // What the call names is not there: it says so itself when it runs.
    if (error instanceof DomainError) return question;
    throw error;
  }
}

/** A result that is nothing but an error is a failure, by whichever way the tool said it. */
function outcomeOf(result: unknown): CallOutcome {
  const content = JSON.stringify(result) ?? 'null';
  if (typeof result === 'object' && result !== null && 'error' in result && typeof result.error === 'string') {
    return { content, success: false, error: result.error };
  }
  return { content, success: true, result: result ?? null };
}

function failure(error: string): CallOutcome {
  return { content: JSON.stringify({ error }), success: false, error };
}

function rejection(reason: string | undefined): CallOutcome {
  const trimmed = reason?.trim() ?? '';
  const content = `User rejected this action.${trimmed === '' ? '' : ` Reason: ${trimmed}`}`;
  return { content, success: false, error: content };
}
