import type { WriteOriginInfo } from '@docwright/contract';

/** Where a write comes from when an agent, a run or a request makes it. */
export interface WriteOrigin {
  /** The write's idempotency key: the same again answers as the first time and writes nothing. */
  call_id: string;
  /** The turn that can be undone; what it writes is noted with the way back. */
  turn_id?: string;
  /** The thread that it is made in; what a model does for it is charged there. */
  thread_id?: string;
  /** The document that the agent works on; what is created remembers it. */
  document_id?: string;
  /** Nobody has seen it: what is created waits for a person's review. */
  for_review?: true;
  /** Through what it is written; a chat in `thread_id` where it is left out. */
  source?: WriteOriginInfo;
  /** In whose name. */
  user_id?: string;
  /** The run that it belongs to. */
  run_id?: string;
}

/** What all writes of one piece of work have in common. */
export type WriteMark = Pick<WriteOrigin, 'for_review' | 'source' | 'run_id'>;
