import type { ExecutedCall, ExecutedRound, TurnContext, TurnEvent, Usage, WorkingState } from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { ApprovedPlan } from '../plans/grants.ts';
import { addUsage, noUsage } from '../llm/token-usage.ts';
import type { WorkingStateAccess } from '../tool/tool.ts';
import type { LeftOut, PendingBatch, PendingTurn, TurnOwner, TurnSettings } from '../turns/pending-turn.ts';
import type { TurnOutcome } from './turn-result.ts';

/** The input of a turn. */
interface TurnStart {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  /** The prepared history, without a system prompt. */
  readonly transcript: readonly LlmMessage[];
  readonly leftOut?: LeftOut;
  readonly workingState: WorkingState;
}

/** The state of a running turn, the only mutable state of the loop. Stored and restored as a PendingTurn. */
export class TurnProgress {
  readonly start: Omit<TurnStart, 'transcript' | 'workingState'>;
  readonly workingState: WorkingStateAccess;
  readonly transcript: LlmMessage[];
  readonly executedRounds: ExecutedRound[] = [];
  // State of the current round.
  text = '';
  thinking = '';
  executed: ExecutedCall[] = [];
  roundsUsed = 0;
  eventCount = 0;
  /** The active plan; a newly approved plan replaces it. */
  plan: ApprovedPlan | undefined;
  /** Size of the conversation at the last model call. */
  context: TurnContext | undefined;
  /** What the product found in the final answer. */
  checked: Pick<TurnOutcome, 'claims' | 'coverage'> | undefined;
  /** The model was asked once to write its answer again. */
  wasCorrected = false;
  #correction: readonly LlmMessage[] = [];
  readonly #historyLength: number;
  #usage: Usage = noUsage;
  #state: WorkingState;

  constructor({ transcript, workingState, ...start }: TurnStart, historyLength = transcript.length) {
    this.start = start;
    this.transcript = [...transcript];
    this.#historyLength = historyLength;
    this.#state = workingState;
    this.workingState = {
      get: () => this.#state,
      update: (change) => {
        this.#state = { ...this.#state, ...change };
      },
    };
  }

  static resumed(pending: PendingTurn): TurnProgress {
    const progress = new TurnProgress(pending, pending.historyLength);
    progress.executedRounds.push(...pending.executedRounds);
    progress.text = pending.text;
    progress.thinking = pending.thinking ?? '';
    progress.executed = [...pending.batch.executed];
    progress.roundsUsed = pending.roundsUsed;
    progress.eventCount = pending.eventCount;
    progress.#usage = pending.usage;
    progress.context = pending.context;
    progress.plan = pending.plan;
    const corrected = progress.transcript.findLastIndex((message) => progress.isOfProduct(message));
    if (corrected !== -1) {
      progress.wasCorrected = true;
      progress.#correction = progress.transcript.slice(corrected - 1, corrected + 1);
    }
    return progress;
  }

  /** Counts an event that is about to be emitted. */
  emit(event: TurnEvent): TurnEvent {
    this.eventCount++;
    return event;
  }

  addUsage(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Closes the current round with the calls that have run. */
  closeRound(): void {
    this.executedRounds.push({
      round_index: this.executedRounds.length,
      text: this.text,
      ...(this.thinking === '' ? {} : { thinking: this.thinking }),
      tool_calls: this.executed,
    });
    this.text = '';
    this.thinking = '';
    this.executed = [];
  }

  /** Asks the model, in one more request, to write its last answer again. */
  askForCorrection(content: string): void {
    this.wasCorrected = true;
    const correction: LlmMessage = { role: 'user', content };
    this.#correction = [...this.transcript.slice(-1), correction];
    this.transcript.push(correction);
    this.text = '';
    this.thinking = '';
  }

  /** Whether no user has written a message: the turn starts with the user's, and adds only corrections of that role. */
  isOfProduct(message: LlmMessage): boolean {
    return message.role === 'user' && this.transcript.indexOf(message) >= this.#historyLength;
  }

  /** Removes the corrected answer and the correction from the transcript. */
  dropCorrection(): void {
    const kept = this.transcript.filter((message) => !this.#correction.includes(message));
    this.transcript.splice(0, this.transcript.length, ...kept);
    this.#correction = [];
  }

  /** The result of a call of this turn; undefined if it failed or has not run. */
  resultOf(callId: string): unknown {
    const calls = [...this.executedRounds.flatMap(({ tool_calls }) => tool_calls), ...this.executed];
    return calls.find(({ id }) => id === callId)?.result;
  }

  outcome(): TurnOutcome {
    return {
      turnId: this.start.turnId,
      threadId: this.start.threadId,
      text: this.text,
      ...(this.thinking === '' ? {} : { thinking: this.thinking }),
      workingState: this.#state,
      executedRounds: [...this.executedRounds],
      usage: this.#usage,
      ...this.checked,
      ...(this.context === undefined ? {} : { context: this.context }),
      messages: this.transcript.slice(this.#historyLength),
      eventCount: this.eventCount,
    };
  }

  pending(status: PendingTurn['status'], batch: Omit<PendingBatch, 'executed'>): PendingTurn {
    const { messages: _, ...outcome } = this.outcome();
    return {
      ...this.start,
      ...outcome,
      status,
      ...(this.plan && { plan: this.plan }),
      roundsUsed: this.roundsUsed,
      transcript: [...this.transcript],
      historyLength: this.#historyLength,
      eventCount: this.eventCount + 1,
      batch: { ...batch, executed: [...this.executed] },
    };
  }

  /** The state to store before `lastEvent` is emitted. */
  checkpoint(lastEvent: TurnEvent, batch: Omit<PendingBatch, 'executed'>): PendingTurn {
    return { ...this.pending('awaiting_approval', batch), eventCount: this.eventCount, lastEvent };
  }
}
