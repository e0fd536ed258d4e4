import type { CallAnswers, CallDecision, TurnEvent, WorkingState } from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { LeftOut, PendingBatch, PendingTurn, TurnOwner, TurnSettings } from '../turns/pending-turn.ts';
import { prepareHistory } from '../history/history.ts';
import { nextAnswer } from './ask-model.ts';
import { prepareCall } from './prepare-call.ts';
import { requireProgress } from '../turns/repeated-failures.ts';
import { addAnswer, proposeBatch, type BatchCall } from './propose-batch.ts';
import { baselinesOf, isWrite, openBatch, runBatch } from './run-batch.ts';
import { tracedEvents } from '../tracing/traced.ts';
import { TurnProgress } from './turn-progress.ts';
import { describeFailure, timeoutError, type TurnResult } from './turn-result.ts';
import { emitAfterCheckpoint, type TurnDependencies, type TurnRun } from './turn-run.ts';

/** A turn that starts with a user's message, the last of `messages`. */
export interface NewTurn {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  /** History and new message, without a system prompt. Incomplete transcripts are accepted: `prepareHistory` repairs them. */
  readonly messages: readonly LlmMessage[];
  /** Maximum number of messages to send; `historyLimit` by default. */
  readonly maxMessages?: number;
  readonly workingState: WorkingState;
}

/** A turn that continues after a user's decision, or after its process died. */
export interface ResumedTurn {
  readonly pending: PendingTurn;
  readonly approvals: readonly CallDecision[];
  readonly answers: readonly CallAnswers[];
  /** The turn's process died: if it died within a round, an event tells readers that the round starts again. */
  readonly isOrphaned?: boolean;
}

/** The input of a run: the agent, its model and services, the permissions, and the turn to start or resume. */
export interface RunTurnInput<Services> extends TurnDependencies<Services> {
  readonly turn: NewTurn | ResumedTurn;
}

/**
 * The agent loop: asks the model (or takes the calls that a program supplied), runs the allowed calls, and repeats until
 * the model answers with text, a call needs the user, the round limit is reached, the turn is stopped or it fails.
 *
 * Yields events in lists, as they occur. A new turn starts with `turn_started`. The closing event is not yielded: the
 * caller stores the result first and then emits `closingEventOf(result)`. The loop stores nothing itself.
 *
 * Throws the model's DomainError if it fails before any output, so that the caller can answer with a plain HTTP error.
 * Every later failure is a result of status `failed`.
 *
 * @example
 * import { closingEventOf, runTurn, type RunTurnInput } from '@docwright/agent-core';
 *
 * declare const input: RunTurnInput<unknown>;
 * const turn = runTurn(input);
 * for (;;) {
 *   const { done, value } = await turn.next();
 *   if (done === true) {
 *     console.log(closingEventOf(value));
 *     break;
 *   }
 *   for (const event of value) console.log(event);
 * }
 */
export function runTurn<Services>(input: RunTurnInput<Services>): AsyncGenerator<TurnEvent[], TurnResult> {
  const { turn, profile } = input;
  const { settings } = 'pending' in turn ? turn.pending : turn;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': profile.name,
    'gen_ai.request.model': settings.model,
    'docwright.turn.resumed': 'pending' in turn,
  };
  return tracedEvents(
    { name: `invoke_agent ${profile.name}`, attributes },
    () => turnEvents(input),
    (span, { status }) => span.setAttribute('docwright.turn.status', status),
  );
}

/**
 * Runs a turn to its next pause or end, for a caller that streams nothing. `onEvent` sees each event; the loop waits for it.
 *
 * @example
 * import { finishTurn, type RunTurnInput } from '@docwright/agent-core';
 *
 * declare const input: RunTurnInput<unknown>;
 * const { status } = await finishTurn(input, (event) => console.log(event.type));
 */
export async function finishTurn<Services>(
  input: RunTurnInput<Services>,
  onEvent: (event: TurnEvent) => unknown = () => undefined,
): Promise<TurnResult> {
  const turn = runTurn(input);
  for (;;) {
    const { done, value } = await turn.next();
    if (done === true) return value;
    for (const event of value) await onEvent(event);
  }
}

async function* turnEvents<Services>(input: RunTurnInput<Services>): AsyncGenerator<TurnEvent[], TurnResult> {
  const { turn, profile } = input;
  const resumed = 'pending' in turn ? turn : undefined;
  const progress = 'pending' in turn ? TurnProgress.resumed(turn.pending) : newProgress(turn);
  const timeLimit = AbortSignal.timeout(profile.limits.timeoutMs);
  const run: TurnRun<Services> = { ...input, progress, signal: AbortSignal.any([input.signal, timeLimit]) };
  try {
    if (resumed === undefined) yield [progress.emit(turnStarted(progress))];
    else {
      const { batch } = resumed.pending;
      const decisions = batch.isUndecided ? undefined : resumed;
      if (resumed.isOrphaned === true && batch.calls.length === 0) {
        yield [progress.emit({ ...turnStarted(progress), resumed: true })];
      }
      const pending = batch.calls.length > 0 ? yield* runBatch(run, restoredBatch(run, batch), decisions) : undefined;
      if (pending !== undefined) return { ...progress.outcome(), status: pending.status, pending };
    }
    while (progress.roundsUsed < profile.limits.maxRounds) {
      const round = { 'docwright.round': progress.roundsUsed };
      const end = yield* tracedEvents({ name: 'round', attributes: round }, () => runRound(run));
      if (end !== undefined) return end;
    }
    return { ...progress.outcome(), status: 'max_rounds' };
  } catch (error) {
    const nothingEmitted = resumed === undefined && progress.eventCount <= 1;
    closeUnfinishedRound(run);
    if (input.signal.aborted) return { ...progress.outcome(), status: 'stopped' };
    const cause = timeLimit.aborted ? timeoutError(profile.limits.timeoutMs) : error;
    if (nothingEmitted) throw cause;
    return { ...progress.outcome(), status: 'failed', error: describeFailure(cause), cause };
  }
}

/** One model call with the calls of its answer. Returns the result of the turn if it ends or pauses here. */
async function* runRound<Services>(run: TurnRun<Services>): AsyncGenerator<TurnEvent[], TurnResult | undefined> {
  const { progress } = run;
  const answer = yield* nextAnswer(run);
  if (answer.toolCalls.length === 0) {
    addAnswer(run, answer, []);
    const isChecked = yield* checkAnswer(run);
    return isChecked ? { ...progress.outcome(), status: 'completed' } : undefined;
  }
  const batch = await proposeBatch(run, answer);
  const round_index = progress.executedRounds.length;
  const open = openBatch(batch, baselinesOf(batch), true);
  const proposal: TurnEvent = { type: 'tool_calls', round_index, tool_calls: [...open.calls] };
  if (batch.some(({ proposed }) => isWrite(proposed))) yield* emitAfterCheckpoint(run, proposal, open);
  else yield [progress.emit(proposal)];
  const pending = yield* runBatch(run, batch, undefined);
  if (pending !== undefined) return { ...progress.outcome(), status: pending.status, pending };
  requireProgress(progress.executedRounds);
  return undefined;
}

/**
 * Checks the answer that would end the turn, and emits what was found. Returns false if the model shall write it again.
 * The correction and the first answer leave the transcript with the second one: later turns see what was shown.
 */
async function* checkAnswer<Services>({
  profile,
  services,
  progress,
  signal,
}: TurnRun<Services>): AsyncGenerator<TurnEvent[], boolean> {
  progress.dropCorrection();
  const { text } = progress;
  const checked = await profile.checkAnswer?.({ services, text, signal });
  if (checked === undefined) return true;
  const { correction, ...found } = checked;
  const canCorrect =
    correction !== undefined && !progress.wasCorrected && progress.roundsUsed < profile.limits.maxRounds;
  if (canCorrect) {
    progress.askForCorrection(correction);
    return false;
  }
  progress.checked = found;
  yield [
    progress.emit({ type: 'claims', claims: [...found.claims], ...(found.coverage && { coverage: found.coverage }) }),
  ];
  return true;
}

/**
 * The first checkpoint of a new turn: resumed, it starts with its first round.
 *
 * @param eventCount the number of events emitted so far
 *
 * @example
 * import { createMemoryTurnStore, turnAtStart, type NewTurn } from '@docwright/agent-core';
 *
 * declare const turn: NewTurn;
 * await createMemoryTurnStore().save(turnAtStart(turn, 0));
 */
export function turnAtStart(turn: NewTurn, eventCount: number): PendingTurn {
  const emptyBatch = { calls: [], refusals: {}, baselines: {} };
  return { ...newProgress(turn).pending('awaiting_approval', emptyBatch), eventCount };
}

function newProgress({ messages, maxMessages, ...start }: NewTurn): TurnProgress {
  const { messages: transcript, leftOut } = prepareHistory(messages, maxMessages);
  return new TurnProgress({ ...start, transcript, ...(leftOut.length > 0 && { leftOut: bounded(leftOut) }) });
}

/** Maximum number of characters of left out messages that are stored with a turn. */
const maxLeftOut = 200_000;

/** The newest of these messages, as many as are stored. */
function bounded(messages: readonly LlmMessage[]): LeftOut {
  let room = maxLeftOut;
  const firstKept = messages.findLastIndex((message) => {
    room -= JSON.stringify(message).length;
    return room < 0;
  });
  return { messages: messages.slice(firstKept + 1), isCut: firstKept >= 0 };
}

function turnStarted({ start }: TurnProgress): Extract<TurnEvent, { type: 'turn_started' }> {
  return { type: 'turn_started', turn_id: start.turnId, thread_id: start.threadId, model: start.settings.model };
}

/** The batch of a stored turn, with its calls checked again. A call that was refused at its proposal stays refused. */
function restoredBatch<Services>(run: TurnRun<Services>, batch: PendingBatch): BatchCall<Services>[] {
  return batch.calls.map((proposed) => {
    const refusal = batch.refusals[proposed.id];
    const prepared =
      refusal === undefined
        ? prepareCall(run.profile.tools, proposed.name, proposed.arguments)
        : { arguments: proposed.arguments, refusal };
    const prefix = `${proposed.id}/`;
    const ofSteps = Object.entries(batch.baselines).filter(([key]) => key.startsWith(prefix));
    return {
      proposed,
      prepared,
      baseline: batch.baselines[proposed.id],
      stepBaselines: Object.fromEntries(ofSteps.map(([key, seen]) => [key.slice(prefix.length), seen])),
    };
  });
}

/** Preserves the text and calls of the last round when a turn is interrupted. */
function closeUnfinishedRound<Services>(run: TurnRun<Services>): void {
  const { progress } = run;
  if (progress.executed.length > 0) progress.closeRound();
  const wasAnswering = progress.transcript.at(-1)?.role !== 'assistant';
  if (progress.text !== '' && wasAnswering) addAnswer(run, { content: progress.text, reasoning: [] }, []);
}
