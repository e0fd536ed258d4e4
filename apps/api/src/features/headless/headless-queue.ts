import type { OnAsk, ReplaceLevel, Role } from '@docwright/contract';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

/** The kind of work: proposing a schema and a prompt, one agent message, or one extraction. */
export type HeadlessKind = 'auto_create' | 'agent' | 'extraction';

/** `waiting`: for a user's decision; `skipped`: a user's work on the result was kept. */
export type HeadlessState = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

/** Work on one document without a user. */
export interface HeadlessInput {
  kind: HeadlessKind;
  organizationId: string;
  documentId: string;
  /**
   * The user in whose name it runs, who is charged and audited. Limited to the user's current role, and at most `role`.
   */
  requestedBy: string;
  role: Role;
  /** The batch. */
  runId?: string | undefined;
  /** Set for a planned run, which is then queued only once. */
  id?: string | undefined;
  /** The first message, for `agent`; `auto_create` has its own. */
  message?: string | undefined;
  /** For `agent`: the write tools that run without approval. `auto_create` can use all that no rule denies. */
  autoApprovedTools?: readonly string[] | undefined;
  /** For `extraction`: this prompt's current revision; without it the document's default prompt. */
  promptId?: string | undefined;
  /** For `extraction`: which user edits it can replace. */
  replace?: ReplaceLevel | undefined;
  /** What happens to a call that needs approval; denied by default. */
  onAsk?: OnAsk | undefined;
  /** The schedule behind the batch. */
  scheduleId?: string | undefined;
}

/** The state of one document's headless run. */
export interface DocumentRun {
  id: string;
  organizationId: string;
  documentId: string;
  runId: string | null;
  kind: HeadlessKind;
  state: HeadlessState;
  requestedBy: string;
  /** The number of attempts; more than one if a worker died. */
  attempts: number;
  /** The thread of an `agent` run, which its requester can open. */
  threadId: string | null;
  queuedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  error: { code: string; message: string } | null;
  /** The cost of all model calls, extractions included. Counted when the run ends. */
  spuUsed: number;
}

/** The queued run's id, or why the document was refused. */
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

/** Called in the process that made the change, after it is stored; other processes read the database. */
export type HeadlessListener = (change: DocumentRun) => void;

/** Accepts work in any process; workers execute it, fairly between organizations. */
export interface HeadlessQueue {
  /**
   * Answers in the order of the inputs. An `auto_create` is refused if the document has no text yet
   * (`document_not_read_yet`) or at all (`document_has_no_text`), if one is running (`auto_create_running`), or if a
   * proposal is pending (`proposal_pending`). Errors of other kinds appear when they run.
   */
  queue(inputs: readonly HeadlessInput[]): Promise<QueueAnswer[]>;
  /**
   * Cancels queued runs of a batch at once, withdraws pending calls, and ends running ones at their next safe point;
   * returns their number.
   */
  cancel(organizationId: string, runId: string): Promise<number>;
  get(organizationId: string, id: string): Promise<DocumentRun | undefined>;
  /** In queue order. `changedSince`: those in progress, and those that have started or ended since. */
  listOfRun(
    organizationId: string,
    runId: string,
    page: PageSelection & { states?: readonly HeadlessState[]; changedSince?: Date },
  ): Promise<{ documentRuns: DocumentRun[] } & PageEnd>;
  countsOfRun(organizationId: string, runId: string): Promise<RunCounts>;
  /** Returns the function that unsubscribes. */
  onChange(listener: HeadlessListener): () => void;
}
