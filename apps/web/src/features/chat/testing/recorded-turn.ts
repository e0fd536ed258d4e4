import type { CallDecision, Thread, TurnEvent } from '@docwright/contract';
import recorded from './recorded-turn.json' with { type: 'json' };

/** The events of one request, and the stored thread right after it. */
interface RecordedSegment {
  frames: { id: number; event: TurnEvent }[];
  thread: Thread;
  /** The user's decisions about the pending calls that follow. */
  decisions?: CallDecision[];
}

/**
 * A turn recorded from the real server with its demo model, asked to tag a document: two reading calls, an approved
 * write, a rejected write and the final text.
 */
export const recordedTurn = recorded as unknown as { text: string; segments: RecordedSegment[] };
