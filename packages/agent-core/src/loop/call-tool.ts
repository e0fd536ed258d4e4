import { DomainError } from '@docwright/contract';
import type { CallPermission, PermissionRequest, Decide } from '../permissions/permission.ts';
import { traced } from '../tracing/traced.ts';
import { boundedContent } from '../tool/bounded-content.ts';
import { emittedEffect, type ToolContext } from '../tool/tool.ts';
import { undefinedOnDomainError } from '../tool/undefined-on-domain-error.ts';
import type { Verdict } from './approval.ts';
import { rejectionStart } from '../provenance/seen-content.ts';
import type { CallProvenance } from '../provenance/label-arguments.ts';
import type { ValidCall, PreparedCall } from './prepare-call.ts';

/** The outcome of a call. `content` goes to the model; `permission` is the decision right before the call ran. */
export type CallOutcome = { readonly content: string; readonly permission?: CallPermission } & (
  | { readonly success: true; readonly result: unknown }
  | { readonly success: false; readonly error: string }
);

/** Creates the context of a call, with the user's answers or approval. */
export type MakeContext<Services> = (
  given?: Pick<ToolContext<Services>, 'answers' | 'isApproved'>,
) => ToolContext<Services>;

/** Returns the reason why a permitted call is stale: its target has changed since the proposal. */
export type FindStale<Services> = (
  call: ValidCall<Services>,
  context: ToolContext<Services>,
) => Promise<string | undefined>;

/**
 * Runs a tool; the only place that does. Asks for the permission again, because rules can change after the proposal: a
 * deny overrides every approval, and a call that needs approval runs only with one. A stale proposal does not run.
 * An expected failure (DomainError) becomes the call's result; any other error is thrown.
 */
export async function callTool<Services>(
  call: PreparedCall<Services>,
  verdict: Verdict | undefined,
  decide: Decide,
  makeContext: MakeContext<Services>,
  findStale: FindStale<Services>,
  { provenance, isGranted = false }: { provenance?: CallProvenance | undefined; isGranted?: boolean } = {},
): Promise<CallOutcome> {
  if (call.refusal !== undefined) return failure(call.refusal, call.shown);
  const { tool, args } = call;
  const isApproved = verdict?.approved === true;
  const context = makeContext({
    // A grant comes from an approved plan that names exactly this call.
    ...((isApproved || isGranted) && { isApproved: true as const }),
    ...(isApproved && verdict.answers && { answers: verdict.answers }),
  });
  const request = { ...(await guardedPermissionRequest(call, context)), ...provenanceFor(provenance) };
  const { origin, signal } = context;
  const permission = await decide({ ...request, origin, signal });
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
    // A rule on the guarded argument counts as the user's approval.
    const isAllowedByRule = request.needsRuleOn !== undefined && permission.effect === 'allow';
    const step = {
      name: `execute_tool ${tool.name}`,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool.name },
    };
    const executed = await traced(step, () =>
      tool.execute(isAllowedByRule ? { ...context, isApproved: true } : context, args),
    );
    return { ...outcomeOf(executed, call), permission };
  } catch (error) {
    if (error instanceof DomainError) return { ...failure(error.message), permission };
    throw error;
  }
}

/**
 * The call as it will run: the input of a permission decision. Implied arguments are filled in.
 *
 * @example
 * import { permissionRequestOf, prepareCall, taskAgentTools, type TaskAgentServices } from '@docwright/agent-core';
 *
 * declare const services: TaskAgentServices;
 * const call = prepareCall(taskAgentTools, 'list_tasks', '{}');
 * if (call.refusal === undefined) permissionRequestOf(call, services).effect; // 'read_only'
 */
export function permissionRequestOf<Services>(
  { tool, args }: ValidCall<Services>,
  services: Services,
): PermissionRequest {
  return {
    tool: tool.name,
    effect: emittedEffect(tool.effect),
    args: { ...tool.implied?.(services), ...args },
    ...(tool.needsUser && { needsUser: true }),
  };
}

/** The provenance of the arguments in the form of a permission request. */
export function provenanceFor(
  known: CallProvenance | undefined,
): Pick<PermissionRequest, 'provenance' | 'chosenByDocument'> {
  if (known === undefined) return {};
  const { provenance, chosenByDocument } = known;
  return { provenance, ...(chosenByDocument.length > 0 && { chosenByDocument }) };
}

/**
 * A permission request that also names the guarded argument, if the call would replace values that a user corrected.
 *
 * @example
 * import { documentAgentTools, guardedPermissionRequest, prepareCall } from '@docwright/agent-core';
 * import type { DocumentAgentServices, ToolContext } from '@docwright/agent-core';
 *
 * declare const context: ToolContext<DocumentAgentServices>;
 * const call = prepareCall(documentAgentTools, 'run_extraction', '{}');
 * if (call.refusal === undefined) (await guardedPermissionRequest(call, context)).needsRuleOn; // 'replace'
 */
export async function guardedPermissionRequest<Services>(
  call: ValidCall<Services>,
  context: ToolContext<Services>,
): Promise<PermissionRequest> {
  const request = permissionRequestOf(call, context.services);
  const { guard } = call.tool;
  if (guard === undefined) return request;
  // If the target does not exist, `execute` reports it.
  const guardReason = await undefinedOnDomainError(() => guard.reason(context, call.args));
  if (guardReason === undefined) return request;
  const { argument } = guard;
  return { ...request, needsRuleOn: typeof argument === 'string' ? argument : argument(call.args), guardReason };
}

/** A result with an `error` text counts as a failure, like a thrown DomainError. */
function outcomeOf<Services>(
  result: unknown,
  { tool, restFrom }: Pick<ValidCall<Services>, 'tool' | 'restFrom'>,
): CallOutcome {
  // People and programs get the whole result. In the conversation it would stay for all later turns.
  const content = boundedContent(result, tool.effect === 'read' ? tool.name : undefined, restFrom);
  if (typeof result === 'object' && result !== null && 'error' in result && typeof result.error === 'string') {
    return { content, success: false, error: result.error };
  }
  return { content, success: true, result: result ?? null };
}

/** `shown` replaces the error for people. */
function failure(error: string, shown = error): CallOutcome {
  return { content: boundedContent({ error }, undefined), success: false, error: shown };
}

function rejection(reason: string | undefined): CallOutcome {
  const trimmed = reason?.trim() ?? '';
  const content = `${rejectionStart}${trimmed === '' ? '' : ` Reason: ${trimmed}`}`;
  return { content, success: false, error: content };
}
