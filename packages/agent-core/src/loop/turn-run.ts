import type { TurnEvent } from '@docwright/contract';
import type { LlmClient } from '../llm/llm-client.ts';
import type { ToolContext } from '../tool/tool.ts';
import type { Decide } from '../permissions/permission.ts';
import type { PendingBatch, PendingTurn } from '../turns/pending-turn.ts';
import type { AgentProfile } from './agent-profile.ts';
import type { RecordCalls } from './call-record.ts';
import type { MakeContext } from './call-tool.ts';
import type { CheckEvidence, WasApplied } from './stale-proposal.ts';
import type { TurnProgress } from './turn-progress.ts';

/** The dependencies of a turn: the agent, its model and services, the permissions and the storage. */
export interface TurnDependencies<Services> {
  readonly profile: AgentProfile<Services>;
  readonly llm: LlmClient;
  readonly services: Services;
  readonly decide: Decide;
  readonly recordCalls: RecordCalls;
  /** Whether a seemingly stale call was changed by its own interrupted write. */
  readonly wasApplied?: WasApplied;
  /** Checks the evaluation behind an approval, right before the call runs. */
  readonly checkEvidence?: CheckEvidence;
  readonly checkpoint?: Checkpoint;
  /** The id of the user who decided, if it is not the turn's owner. */
  readonly approver?: string;
  /** Aborting stops the turn at the next safe point. Completed calls stay in effect. */
  readonly signal: AbortSignal;
}

/** A running turn: its dependencies and its state. The `signal` also aborts at the turn's time limit. */
export interface TurnRun<Services> extends TurnDependencies<Services> {
  readonly progress: TurnProgress;
}

/** Stores the turn before a batch, a result or the end of a round is emitted, so that any process can resume it there. */
export type Checkpoint = (event: TurnEvent, turn: PendingTurn) => Promise<void>;

/** Stores a checkpoint, then emits the event. `batch` holds the open calls; between two rounds it is empty. */
export async function* emitAfterCheckpoint<Services>(
  { progress, checkpoint }: TurnRun<Services>,
  event: TurnEvent,
  batch: Omit<PendingBatch, 'executed'> = { calls: [], refusals: {}, baselines: {} },
): AsyncGenerator<TurnEvent[], void> {
  const counted = progress.emit(event);
  if (checkpoint) await checkpoint(counted, progress.checkpoint(counted, batch));
  yield [counted];
}

export function contextMaker<Services>(run: TurnRun<Services>, callId: string): MakeContext<Services> {
  const context: ToolContext<Services> = {
    services: run.services,
    workingState: run.progress.workingState,
    origin: { call_id: callId, turn_id: run.progress.start.turnId, thread_id: run.progress.start.threadId },
    signal: run.signal,
    model: run.progress.start.settings.model,
  };
  return (given) => ({ ...context, ...given });
}
