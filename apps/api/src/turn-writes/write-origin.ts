/** Where a write comes from when an agent makes it. */
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
}
