import type { WriteOriginInfo } from '@docwright/contract';

/** Where a write comes from when an agent, a run or a request makes it. */
export interface WriteOrigin {
  /** The write's idempotency key: a repeated call returns the first result and writes nothing. */
  call_id: string;
  /** The turn. Its writes are noted with the previous state, so that it can be undone. */
  turn_id?: string;
  /** The thread of the write; model usage for it is charged there. */
  thread_id?: string;
  /** The document that the agent works on; created records store it. */
  document_id?: string;
  /** Set by a run without a user: created records are pending review. */
  for_review?: true;
  /** The channel of the write; by default a chat in `thread_id`. */
  source?: WriteOriginInfo;
  /** The user in whose name it is written. */
  user_id?: string;
  /** The run that it belongs to. */
  run_id?: string;
  /** The entry that the audit log gets after the write, as JSON. It is noted before the write with the state before it. */
  audit_entry?: string;
}

/** What all writes of one turn or run share. */
export type WriteContext = Pick<WriteOrigin, 'for_review' | 'source' | 'run_id'>;

/** How many ids of calls a record stores. */
const maxAppliedCalls = 200;

/** The part of an update that stores the calls that it is made for. */
export const withCalls = (callIds: readonly string[] = []) =>
  callIds.length === 0 ? {} : { $push: { applied_calls: { $each: [...callIds], $slice: -maxAppliedCalls } } };
