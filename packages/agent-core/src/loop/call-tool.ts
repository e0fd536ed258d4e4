import { DomainError, type CallAnswers } from '@docwright/contract';
import type { ToolContext } from '../tool/tool.ts';
import type { Verdict } from './approval.ts';
import type { Decide } from './permission.ts';
import type { PreparedCall } from './prepare-call.ts';

/** What came of a call: `content` is what the model reads. */
export type CallOutcome = { readonly content: string } & (
  | { readonly success: true; readonly result: unknown }
  | { readonly success: false; readonly error: string }
);

/** How a call's context is made; answers are given to the tool that waited for them. */
export type MakeContext<Services> = (answers?: CallAnswers['answers']) => ToolContext<Services>;

/**
 * The only place where a tool is run. Asks for the permission once more, whatever was decided at the proposal: a deny
 * holds over every approval, and what must be asked for runs with an approval alone. Expected failures (DomainError)
 * become the call's result; anything else is thrown.
 */
export async function callTool<Services>(
  call: PreparedCall<Services>,
  verdict: Verdict | undefined,
  decide: Decide,
  makeContext: MakeContext<Services>,
): Promise<CallOutcome> {
  if (call.refusal !== undefined) return failure(call.refusal);
  const { tool, args } = call;
  const permission = decide({ tool: tool.name, effect: tool.effect, args });
  if (permission.effect === 'deny') return failure(permission.message);
  if (verdict?.approved === false) return rejection(verdict.reason);
  if (
    tool.awaitsAnswers === true ? verdict?.answers === undefined : permission.effect === 'ask' && verdict === undefined
  ) {
    return failure('This call needs an approval that it did not get.');
  }
  try {
    return outcomeOf(await tool.execute(makeContext(verdict?.answers), args));
  } catch (error) {
    if (error instanceof DomainError) return failure(error.message);
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
