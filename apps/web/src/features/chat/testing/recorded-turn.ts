import type { CallDecision, Thread, TurnEvent } from '@docwright/contract';
import recorded from './recorded-turn.json' with { type: 'json' };

/** What one request brought, and how the server had stored the thread right after it. */
interface RecordedSegment {
  frames: { id: number; event: TurnEvent }[];
  thread: Thread;
  /** What the person then said about the waiting calls. */
  decisions?: CallDecision[];
}

/**
 * A whole turn of the real server with its demo model, asked to tag a document: two reading calls, a write that was
 * approved, another that was rejected with a reason, and the words at the end.
 */
export const recordedTurn = recorded as unknown as { text: string; segments: RecordedSegment[] };
