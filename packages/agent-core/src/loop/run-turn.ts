import type { CallAnswers, CallDecision, TurnEvent, WorkingState } from '@docwright/contract';
import type { LlmClient, LlmMessage } from '../llm/llm-client.ts';
import type { PendingBatch, PendingTurn, TurnOwner, TurnSettings } from '../turns/pending-turn.ts';
import type { Decide } from '../permissions/permission.ts';
import type { AgentProfile } from './agent-profile.ts';
import type { RecordCalls } from './call-record.ts';
import { prepareHistory } from '../history/history.ts';
import { nextAnswer } from './ask-model.ts';
import { prepareCall } from './prepare-call.ts';
import { addAnswer, proposeBatch, type BatchCall } from './propose-batch.ts';
import { baselinesOf, mayWrite, openBatch, runBatch } from './run-batch.ts';
import type { CheckEvidence, WasApplied } from './stale-proposal.ts';
import { describeFailure, timeoutError } from './turn-result.ts';
import { TurnProgress } from './turn-progress.ts';
import type { TurnResult } from './turn-result.ts';
import { emitAfterCheckpoint, type Checkpoint, type TurnRun } from './turn-run.ts';

/** A turn that begins with a person's message, the last of `messages`. */
export interface NewTurn {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  /** History and new message, without a system prompt. Any transcript will do: what is sent is cut and repaired. */
  readonly messages: readonly LlmMessage[];
  /** How many of them the model is given, `historyLimit` where it is left out. */
  readonly maxMessages?: number;
  readonly workingState: WorkingState;
}

/** A turn that goes on after a person decided, or after its process has died. */
export interface ResumedTurn {
  readonly pending: PendingTurn;
  readonly approvals: readonly CallDecision[];
  readonly answers: readonly CallAnswers[];
  /** Its process has died: where a round had been begun, readers are told that it begins anew. */
  readonly isOrphaned?: boolean;
}

export interface RunTurnInput<Services> {
  readonly profile: AgentProfile<Services>;
  readonly llm: LlmClient;
  readonly services: Services;
  readonly decide: Decide;
  readonly recordCalls: RecordCalls;
  /** Asked where a call looks stale: its own write, cut off from its result, is not somebody else's. */
  readonly wasApplied?: WasApplied;
  /** Asked right before a call runs that was approved on the strength of an evaluation. */
  readonly checkEvidence?: CheckEvidence;
  readonly checkpoint?: Checkpoint;
  /** The id of the user who decided, where it is not the turn's own. */
  readonly approver?: string;
  /** Aborting stops the turn at the next safe point: what was done stays. */
  readonly signal: AbortSignal;
  readonly turn: NewTurn | ResumedTurn;
}

/**
 * The only loop: asks the model (or takes the calls that a program gave in its place), runs what may run, and goes on until
 * text, a call that waits for a person, the round limit, a stop or a failure. Yields what happens as it happens, what came together in one list, `turn_started` first (not when resumed), everything but
 * the closing event, which the caller says after storing (`closingEventOf`). Stores nothing itself.
 *
 * Throws the DomainError of a model that failed before anything was written or said, so that it can be a plain HTTP
 * error; every later failure is a result of status `failed`.
 */
export async function* runTurn<Services>(input: RunTurnInput<Services>): AsyncGenerator<TurnEvent[], TurnResult> {
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
      const answer = yield* nextAnswer(run);
      if (answer.toolCalls.length === 0) {
        addAnswer(run, answer, []);
        return { ...progress.outcome(), status: 'completed' };
      }
      const batch = await proposeBatch(run, answer);
      const round_index = progress.executedRounds.length;
      const open = openBatch(batch, baselinesOf(batch), true);
      const proposal: TurnEvent = { type: 'tool_calls', round_index, tool_calls: [...open.calls] };
      if (batch.some(({ proposed }) => mayWrite(proposed))) yield* emitAfterCheckpoint(run, proposal, open);
      else yield [progress.emit(proposal)];
      const pending = yield* runBatch(run, batch, undefined);
      if (pending !== undefined) return { ...progress.outcome(), status: pending.status, pending };
    }
    return { ...progress.outcome(), status: 'max_rounds' };
  } catch (error) {
    const nothingEmitted = resumed === undefined && progress.eventCount <= 1;
    keepUnfinishedRound(run);
    if (input.signal.aborted) return { ...progress.outcome(), status: 'stopped' };
    const cause = timeLimit.aborted ? timeoutError(profile.limits.timeoutMs) : error;
    if (nothingEmitted) throw cause;
    return { ...progress.outcome(), status: 'failed', error: describeFailure(cause), cause };
  }
}

/** A turn of which nothing was kept yet, as one that goes on with its first round. */
export function turnAtStart(turn: NewTurn, eventCount: number): PendingTurn {
  const nothing = { calls: [], refusals: {}, baselines: {} };
  return { ...newProgress(turn).pending('awaiting_approval', nothing), eventCount };
}

function newProgress({ messages, maxMessages, ...start }: NewTurn): TurnProgress {
  return new TurnProgress({ ...start, transcript: prepareHistory(messages, maxMessages) });
}

function turnStarted({ start }: TurnProgress): Extract<TurnEvent, { type: 'turn_started' }> {
  return { type: 'turn_started', turn_id: start.turnId, thread_id: start.threadId, model: start.settings.model };
}

/** The batch of a saved turn, its calls checked again; what was refused at the proposal stays refused. */
function restoredBatch<Services>(run: TurnRun<Services>, batch: PendingBatch): BatchCall<Services>[] {
  return batch.calls.map((proposed) => {
    const refusal = batch.refusals[proposed.id];
    const prepared =
      refusal === undefined
        ? prepareCall(run.profile.tools, proposed.name, proposed.arguments)
        : { arguments: proposed.arguments, refusal };
    const mark = `${proposed.id}/`;
    const ofSteps = Object.entries(batch.baselines).filter(([key]) => key.startsWith(mark));
    return {
      proposed,
      prepared,
      baseline: batch.baselines[proposed.id],
      stepBaselines: Object.fromEntries(ofSteps.map(([key, seen]) => [key.slice(mark.length), seen])),
    };
  });
}

/** A turn that breaks off keeps what its last round had said and done. */
function keepUnfinishedRound<Services>(run: TurnRun<Services>): void {
  const { progress } = run;
  if (progress.executed.length > 0) progress.closeRound();
  const wasAnswering = progress.transcript.at(-1)?.role !== 'assistant';
  if (progress.text !== '' && wasAnswering) addAnswer(run, { content: progress.text, reasoning: [] }, []);
}
