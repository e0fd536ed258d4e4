import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, timestamp } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import { incompleteResults, replaceLevel } from '../extractions/extractions.ts';
import { documentFilter, headlessMessage, maxDocuments } from './schedules.ts';

/** The reason of a failure, for programs and users. */
const failure = z.object({ code: z.string(), message: z.string() });

/**
 * `queued` and `running` are active; `completed` processed all its documents, successfully or not; `failed` could not
 * start; `stopped` was stopped by a user; `skipped` was due while the previous run was still active.
 */
export const runState = z.enum(['queued', 'running', 'completed', 'failed', 'stopped', 'skipped']);
export type RunState = z.infer<typeof runState>;

export const runAction = z.enum(['auto_create', 'run_extraction', 'chat']);
export type RunAction = z.infer<typeof runAction>;

/**
 * `due`: started at its schedule's time; `manual`: a schedule that a user started; `direct`: started without a schedule;
 * `arrival`: started by the tags of documents, for the organization.
 */
export const runTrigger = z.enum(['due', 'manual', 'direct', 'arrival']);
export type RunTrigger = z.infer<typeof runTrigger>;

/**
 * `waiting`: a call waits for a decision; `skipped`: its result was edited or verified by a user and was not replaced
 * (`error` has the reason).
 */
export const runDocumentState = z.enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped']);
export type RunDocumentState = z.infer<typeof runDocumentState>;

/** The result of one document in a run. */
export const runDocument = z.object({
  document_id: recordId,
  /** null once the document is deleted. */
  document_name: z.string().nullable(),
  state: runDocumentState,
  /** The reason, if it failed or was skipped. */
  error: failure.nullable(),
  spu_used: z.number().int(),
  /** Present if results of the document are incomplete, from this run or another. */
  incomplete_results: incompleteResults.optional(),
  /** The conversation, for a chat or an auto-create. */
  thread_id: recordId.nullable(),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});
export type RunDocument = z.infer<typeof runDocument>;

/** Why a document of a run cannot be undone, and who has changed it since, if known. */
export const runUndoConflict = z.object({
  document_id: recordId,
  what: z.string(),
  changed_by: z.string().nullable(),
  changed_at: timestamp.nullable(),
});
export type RunUndoConflict = z.infer<typeof runUndoConflict>;

/** `incomplete`: the documents in `conflicts` were not restored. Another undo retries them. */
export const runUndo = z.object({
  state: z.enum(['running', 'completed', 'incomplete']),
  /** Documents whose writes were undone. */
  undone: z.number().int(),
  conflicts: z.array(runUndoConflict),
  requested_by: z.string(),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
});
export type RunUndo = z.infer<typeof runUndo>;

/** One unattended pass over documents. */
export const run = z.object({
  id: recordId,
  schedule_id: recordId.nullable(),
  trigger: runTrigger,
  action: runAction,
  state: runState,
  /** Number of documents that the filter matched or that were named. */
  matched: z.number().int(),
  /** Number of these that the run processes, at most `max_documents`. */
  total: z.number().int(),
  /** Documents that are queued or wait for a decision. After the run's end, only those that wait for a decision. */
  waiting: z.number().int(),
  /** Number of these that wait for a decision. */
  parked: z.number().int(),
  running: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  /** Documents that were not changed, because a user had verified or edited their result. */
  skipped: z.number().int(),
  /** The first hundred documents that failed, with the reason. */
  failures: z.array(failure.extend({ document_id: recordId })),
  /** Why the run failed as a whole, or was skipped. */
  error: failure.nullable(),
  spu_used: z.number().int(),
  message: z.string().nullable(),
  auto_approved_tools: z.array(z.string()),
  /** Which edited or verified results its extractions replace. By default they skip such documents. */
  replace: replaceLevel.optional(),
  on_ask: onAsk,
  /** For a `skipped` run: the number of due times that were skipped during the same run, including this one. */
  skipped_times: z.number().int().optional(),
  /** The time its schedule was due. */
  due_at: timestamp.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  /** The user whose rights and permission rules apply. */
  requested_by: z.string(),
  /** Progress of the undo, if one was requested. */
  undo: runUndo.optional(),
});
export type Run = z.infer<typeof run>;

/** Either `document_ids` or `filter`. */
export const createRunBody = z.strictObject({
  document_ids: z.array(objectId).min(1).max(1_000).optional(),
  filter: documentFilter.optional(),
  message: headlessMessage,
  /** Names of writing tools that are allowed. Other calls that need approval are denied. */
  auto_approved_tools: z.array(z.string().min(1).max(200)).max(100).default([]),
  /** Limits the documents that `filter` selects. */
  max_documents: maxDocuments.optional(),
  /** Whether a call that needs approval is denied or waits in the inbox. */
  on_ask: onAsk.default('deny'),
});
export type CreateRunBody = z.infer<typeof createRunBody>;

/** Requests the documents that a run would select now. `prompt_id` limits the filter for documents without a result to this prompt. */
export const matchingDocumentsBody = z.strictObject({
  filter: documentFilter.default({}),
  prompt_id: objectId.optional(),
  max_documents: maxDocuments.optional(),
});
export type MatchingDocumentsBody = z.infer<typeof matchingDocumentsBody>;

/** Number of matching documents, and how many of them one run would process. */
export const matchingDocuments = z.object({ matched: z.number().int(), total: z.number().int() });
export type MatchingDocuments = z.infer<typeof matchingDocuments>;

export const runList = pageInfo.extend({ runs: z.array(run) });
export const runListQuery = pageQuery.extend({
  schedule_id: objectId.optional(),
  state: runState.optional(),
});
export const scheduleRunListQuery = pageQuery;

export const runDocumentList = pageInfo.extend({ documents: z.array(runDocument) });
export const runDocumentListQuery = pageQuery.extend({ state: runDocumentState.optional() });

/**
 * The frames of `GET …/runs/{run_id}/events`; the frame's `event` is the same name as `type`. First `run` with the
 * current state, then `document` for each document that changes and `run` when counts or state do, last `done`.
 */
export const runEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run }),
  z.object({ type: z.literal('document'), run_id: recordId, document: runDocument }),
  z.object({ type: z.literal('done'), run }),
]);
export type RunEvent = z.infer<typeof runEvent>;
