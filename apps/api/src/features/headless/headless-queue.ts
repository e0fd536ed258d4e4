import type { OnAsk, ReplaceLevel, Role } from '@docwright/contract';

/** What is done with the document: proposing a schema and a prompt, one message to its agent, or one extraction. */
export type HeadlessKind = 'auto_create' | 'agent' | 'extraction';

/** `waiting`: for a person's decision; `skipped`: a person's work on the result was left alone. */
export type HeadlessState = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

/** Work on one document that nobody watches. */
export interface HeadlessInput {
  kind: HeadlessKind;
  organizationId: string;
  documentId: string;
  /** In whose name: their role, as it is when it runs, and no more than `role` holds; they are charged and audited. */
  requestedBy: string;
  role: Role;
  /** The batch that it belongs to. */
  runId?: string | undefined;
  /** Given where the run was promised before: then it is queued once, however often it is tried. */
  id?: string | undefined;
  /** The first message, for `agent`; `auto_create` has its own. */
  message?: string | undefined;
  /** For `agent`: the write tools that may run. `auto_create` may use all that no rule denies. */
  autoApprovedTools?: readonly string[] | undefined;
  /** For `extraction`: this prompt's current revision; without it the document's default prompt. */
  promptId?: string | undefined;
  /** For `extraction`: what of people's work it replaces. */
  replace?: ReplaceLevel | undefined;
  /** What becomes of a call that would have to ask; it is denied where this is left out. */
  onAsk?: OnAsk | undefined;
  /** The schedule behind the batch. */
  scheduleId?: string | undefined;
}

/** One document of a headless run, as it stands. */
export interface DocumentRun {
  id: string;
  organizationId: string;
  documentId: string;
  runId: string | null;
  kind: HeadlessKind;
  state: HeadlessState;
  requestedBy: string;
  /** How often it was begun; more than one where a worker died. */
  attempts: number;
  /** The conversation of an `agent`, which its person finds among their threads. */
  threadId: string | null;
  queuedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  error: { code: string; message: string } | null;
  /** Of all model calls so far, the extraction's among them. Counted when it ends. */
  spuUsed: number;
}

/** The id of what was queued, or why this document was left out. */
export type QueueAnswer = { id: string } | { refused: { code: string; message: string } };

export interface RunCounts {
  queued: number;
  running: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  waiting: number;
  skipped: number;
  spuUsed: number;
}

/** Told in the process that made the change, after it is stored; other processes look into the database. */
export type HeadlessListener = (change: DocumentRun) => void;

/** Takes work in any process; workers carry it out, fairly between organizations. */
export interface HeadlessQueue {
  /**
   * Answers in the order of the inputs. An `auto_create` is refused for a document whose text is not there
   * (`document_not_read_yet`, `document_has_no_text`), where one is going already (`auto_create_running`) or where a
   * proposal waits for a person (`proposal_pending`). Whatever is wrong with other kinds shows when they run.
   */
  queue(inputs: readonly HeadlessInput[]): Promise<QueueAnswer[]>;
  /**
   * Ends what is queued of a batch at once, withdraws what waits for a decision, and ends what runs at its next safe
   * point; how many there were.
   */
  cancel(organizationId: string, runId: string): Promise<number>;
  get(organizationId: string, id: string): Promise<DocumentRun | undefined>;
  /** In the order in which they were queued. */
  listOfRun(
    organizationId: string,
    runId: string,
    page: { skip: number; limit: number; states?: readonly HeadlessState[] },
  ): Promise<{ documentRuns: DocumentRun[]; total_count: number }>;
  countsOfRun(organizationId: string, runId: string): Promise<RunCounts>;
  /** Gives back how to stop listening. */
  onChange(listener: HeadlessListener): () => void;
}
