import type { WriteOriginInfo } from '@docwright/contract';

/** Where a write comes from when an agent, a run or a request makes it. */
export interface WriteOrigin {
  /** The write's idempotency key: the same again answers as the first time and writes nothing. */
  call_id: string;
  /** The turn that can be undone: its writes are noted with the previous state. */
  turn_id?: string;
  /** The thread that it is made in; what a model does for it is charged there. */
  thread_id?: string;
  /** The document that the agent works on; what is created remembers it. */
  document_id?: string;
  /** Set by a run without a user: what is created waits for a review. */
  for_review?: true;
  /** The channel of the write; by default a chat in `thread_id`. */
  source?: WriteOriginInfo;
  /** The user in whose name it is written. */
  user_id?: string;
  /** The run that it belongs to. */
  run_id?: string;
}

/** What all writes of one turn or run share. */
export type WriteContext = Pick<WriteOrigin, 'for_review' | 'source' | 'run_id'>;
