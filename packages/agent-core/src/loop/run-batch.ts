import type { TurnEvent } from '@docwright/contract';
import type { PendingTurn } from '../turns/pending-turn.ts';
import { verdictOn, waits, type Decisions } from './approval.ts';
import { callTool } from './call-tool.ts';
import { prepareCall } from './prepare-call.ts';
import type { BatchCall } from './propose-batch.ts';
import { contextMaker, type TurnRun } from './turn-run.ts';

/**
 * Runs the calls of a batch in the model's order, one at a time, from the first that has not run yet. Undecided, it
 * stops in front of the first call that needs a person: what stands before it has run, it and all that follows wait,
 * since a later call may build on it. Decided, it runs to the end. Gives the waiting turn, or undefined when done.
 */
export async function* runBatch<Services>(
  run: TurnRun<Services>,
  batch: readonly BatchCall<Services>[],
  decisions: Decisions | undefined,
): AsyncGenerator<TurnEvent, PendingTurn | undefined> {
  const { progress } = run;
  const refusals = Object.fromEntries(
    batch.flatMap(({ proposed, prepared }) =>
      prepared.refusal === undefined ? [] : [[proposed.id, prepared.refusal]],
    ),
  );
  const waiting = ({ proposed, prepared }: BatchCall<Services>) =>
    waits(proposed, prepared.tool?.awaitsAnswers === true, { refusals });
  for (const call of batch.slice(progress.executed.length)) {
    if (decisions === undefined && waiting(call)) {
      const needsApproval = batch.some(({ proposed }) => proposed.needs_approval);
      const calls = batch.map(({ proposed }) => proposed);
      return progress.pending(needsApproval ? 'awaiting_approval' : 'awaiting_answers', { calls, refusals });
    }
    run.signal.throwIfAborted();
    yield progress.say(await runCall(run, call, decisions));
  }
  const round_index = progress.executedRounds.length;
  progress.closeRound();
  yield progress.say({ type: 'round_executed', round_index });
  return undefined;
}

async function runCall<Services>(
  run: TurnRun<Services>,
  { proposed, prepared }: BatchCall<Services>,
  decisions: Decisions | undefined,
): Promise<TurnEvent> {
  const { id, name } = proposed;
  const verdict =
    decisions === undefined ? undefined : verdictOn(proposed, prepared.tool?.awaitsAnswers === true, decisions);
  const edited = verdict?.approved === true ? verdict.arguments : undefined;
  const call = edited === undefined ? prepared : prepareCall(run.profile.tools, name, edited);
  if (edited !== undefined) replaceArguments(run, id, call.arguments);
  const { content, ...outcome } = await callTool(call, verdict, run.decide, contextMaker(run, id));
  run.progress.transcript.push({ role: 'tool', callId: id, content });
  run.progress.executed.push({ id, name, arguments: call.arguments, ...outcome });
  return { type: 'tool_result', round_index: run.progress.executedRounds.length, call_id: id, name, ...outcome };
}

/** The model shall read what was run, not what it had proposed. */
function replaceArguments<Services>({ progress }: TurnRun<Services>, callId: string, text: string): void {
  const at = progress.transcript.findLastIndex((message) => message.role === 'assistant');
  const message = progress.transcript[at];
  if (message?.role !== 'assistant' || message.toolCalls === undefined) return;
  const toolCalls = message.toolCalls.map((call) => (call.id === callId ? { ...call, arguments: text } : call));
  progress.transcript[at] = { ...message, toolCalls };
}
