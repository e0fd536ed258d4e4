import type { ReasoningLevel, TurnAnswer } from '@docwright/contract';
import type { ChatRequest } from '../../areas/chat/chat-calls.ts';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { CommandContext } from '../context/context.ts';
import { exitCodeOf, exitCodeOfTurn, exitCodes, type ExitCode } from '../context/exit-codes.ts';
import { unlessInterrupted } from '../terminal/asker.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { answerQuestions } from './answer-questions.ts';
import { decideCalls } from './decide-calls.ts';
import { howToDecide, showTurn, type TurnPlace } from './run-turn.ts';

export interface TalkOptions {
  /** Sent first, if given. */
  message?: string | undefined;
  threadId?: string | undefined;
  model?: string | undefined;
  reasoning?: ReasoningLevel | undefined;
  autoApprovedTools?: string[] | undefined;
  autoApprove?: boolean | undefined;
}

/** A conversation: asks for messages and decides pending calls, until the input ends. */
export async function talk(context: CommandContext, place: TurnPlace, options: TalkOptions): Promise<ExitCode> {
  const { output } = context;
  let { threadId } = options;
  let firstMessage = options.message;
  let outcome: ExitCode = exitCodes.ok;
  const pending = threadId === undefined ? undefined : await pendingTurn(context, place, threadId);
  if (pending !== undefined && firstMessage === undefined) {
    const settled = await settle(context, place, pending);
    if (settled.left) return exitCodes.waits;
    outcome = exitCodeOfTurn(settled.answer);
  }
  for (;;) {
    const message = firstMessage ?? (await askMessage(context));
    firstMessage = undefined;
    if (message === undefined) return outcome;
    if (message === '') continue;
    try {
      const body = chatRequest(message, { ...options, threadId });
      const first = await showTurn(context, place, (signal) =>
        place.client.chat.stream(place.documentId, body, { signal }),
      );
      threadId = first.thread_id;
      const { answer, left } = await settle(context, place, first);
      if (left) return exitCodes.waits;
      outcome = exitCodeOfTurn(answer);
    } catch (error) {
      // An error of one message does not end the conversation: the next message may succeed.
      if (!(error instanceof DocwrightError) || !context.asker.isTerminal || error.status === 401) throw error;
      output.note(output.style('red', printableLine(error.message)));
      outcome = exitCodeOf(error);
    }
  }
}

export function chatRequest(
  message: string,
  { threadId, model, reasoning, autoApprovedTools, autoApprove }: TalkOptions,
): ChatRequest {
  return {
    messages: [{ role: 'user', content: message }],
    ...(threadId !== undefined && { thread_id: threadId }),
    ...(model !== undefined && { model }),
    ...(reasoning !== undefined && { reasoning }),
    ...(autoApprovedTools && { auto_approved_tools: autoApprovedTools }),
    ...(autoApprove === true && { auto_approve: true }),
  };
}

async function pendingTurn(
  { signal }: CommandContext,
  { client, documentId }: TurnPlace,
  threadId: string,
): Promise<TurnAnswer | undefined> {
  return (await client.chat.threads.get(documentId, threadId, { signal })).pending_turn;
}

/** Lets the user decide every batch of a turn until it finishes; `left` when the user leaves it pending. */
async function settle(
  context: CommandContext,
  place: TurnPlace,
  first: TurnAnswer,
): Promise<{ answer: TurnAnswer; left: boolean }> {
  let answer = first;
  for (;;) {
    const waits = answer.status === 'awaiting_approval' || answer.status === 'awaiting_answers';
    if (!waits) return { answer, left: false };
    const decided = await decide(context, place, answer);
    if (decided === undefined) {
      context.output.note(howToDecide(place, answer).join('\n'));
      return { answer, left: true };
    }
    answer = decided;
  }
}

/** The turn after the user's decision; undefined when it is left pending. */
async function decide(context: CommandContext, place: TurnPlace, waiting: TurnAnswer): Promise<TurnAnswer | undefined> {
  const { client, documentId } = place;
  const { turn_id } = waiting;
  const decided = await decideCalls(context, place, waiting);
  if (decided === 'leave') return undefined;
  if (decided === 'stop') {
    await client.chat.stop(documentId, turn_id);
    return { ...waiting, status: 'stopped', tool_calls: [] };
  }
  const answers = await answerQuestions(context, waiting);
  if (answers === 'leave') return undefined;
  try {
    const body = { turn_id, ...decided, ...answers };
    return await showTurn(context, place, (signal) => client.chat.streamApproval(documentId, body, { signal }));
  } catch (error) {
    // The turn is still pending: the arguments are invalid, the evaluation is stale, or only an admin can create the rule.
    if (!(error instanceof DocwrightError) || (![403, 422].includes(error.status) && error.code !== 'evaluation_stale'))
      throw error;
    context.output.note(context.output.style('red', printableLine(error.message)));
    return waiting;
  }
}

/** The next message of the user; undefined at the end of the input and on Ctrl-C. */
export async function askMessage({ asker, output }: CommandContext): Promise<string | undefined> {
  return (await unlessInterrupted(asker.ask(output.style('cyan', 'you › '))))?.trim();
}
