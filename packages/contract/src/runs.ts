import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, timestamp } from './base/common.ts';
import { incompleteResults, replaceLevel } from './extractions/extractions.ts';
import { onAsk } from './base/write-origin.ts';
import { documentFilter, headlessMessage, maxDocuments } from './schedules.ts';

/** The reason of a failure, for programs and users. */
const failure = z.object({ code: z.string(), message: z.string() });

/**
 * `queued` and `running` go on; `completed` worked through all its documents, whatever became of each; `failed` could not
 * begin; `stopped` was stopped by a person; `skipped` was due while the one before it still ran.
 */
export const runState = z.enum(['queued', 'running', 'completed', 'failed', 'stopped', 'skipped']);
export type RunState = z.infer<typeof runState>;

export const runAction = z.enum(['auto_create', 'run_extraction', 'chat']);
export type RunAction = z.infer<typeof runAction>;

/** `due`: its schedule's time came; `manual`: a schedule run by hand; `direct`: asked for without a schedule. */
export const runTrigger = z.enum(['due', 'manual', 'direct']);
export type RunTrigger = z.infer<typeof runTrigger>;

/**
 * `waiting`: a call of it waits for a person's decision; `skipped`: a person's work on its result was left alone
 * (`error` says which).
 */
export const runDocumentState = z.enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped']);
export type RunDocumentState = z.infer<typeof runDocumentState>;

/** The result of one document in a run. */
export const runDocument = z.object({
  document_id: recordId,
  /** null once the document is deleted. */
  document_name: z.string().nullable(),
  state: runDocumentState,
  /** The reason, of one that failed or was skipped. */
  error: failure.nullable(),
  spu_used: z.number().int(),
  /** Present where results of the document are incomplete, of this run or another. */
  incomplete_results: incompleteResults.optional(),
  /** The conversation, for a chat or an auto-create. */
  thread_id: recordId.nullable(),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});
export type RunDocument = z.infer<typeof runDocument>;

/** Something that stands in the way of undoing a document of a run: who changed it since, as far as that is known. */
export const runUndoConflict = z.object({
  document_id: recordId,
  what: z.string(),
  changed_by: z.string().nullable(),
  changed_at: timestamp.nullable(),
});
export type RunUndoConflict = z.infer<typeof runUndoConflict>;

/** `incomplete`: what is in `conflicts` was left as it is; undoing again finishes what is left. */
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
  /** Of these, how many the run works through: `max_documents` at most. */
  total: z.number().int(),
  /** Documents that wait for their turn, or for a person's decision; after the run's end for a decision alone. */
  waiting: z.number().int(),
  /** Of these, how many wait for a person's decision. */
  parked: z.number().int(),
  running: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  /** Documents whose result a person had verified or edited, and which were therefore left alone; nothing else was written there. */
  skipped: z.number().int(),
  /** The first hundred documents that failed, with the reason. */
  failures: z.array(failure.extend({ document_id: recordId })),
  /** Why the run failed as a whole, or was skipped. */
  error: failure.nullable(),
  spu_used: z.number().int(),
  message: z.string().nullable(),
  auto_approved_tools: z.array(z.string()),
  /** What of people's work its extractions replace; without it they skip such documents. */
  replace: replaceLevel.optional(),
  on_ask: onAsk,
  /** Of a `skipped` one: how many due times were passed over during the same run, this one the first of them. */
  skipped_times: z.number().int().optional(),
  /** The time its schedule was due. */
  due_at: timestamp.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  /** Whose rights and rules hold. */
  requested_by: z.string(),
  /** How far it is undone, where somebody has asked for that. */
  undo: runUndo.optional(),
});
export type Run = z.infer<typeof run>;

/** One of `document_ids` and `filter`. */
export const createRunBody = z.strictObject({
  document_ids: z.array(objectId).min(1).max(1_000).optional(),
  filter: documentFilter.optional(),
  message: headlessMessage,
  /** Names of tools that may write; every other call that would ask is denied. */
  auto_approved_tools: z.array(z.string().min(1).max(200)).max(100).default([]),
  /** Of those that `filter` finds. */
  max_documents: maxDocuments.optional(),
  /** What becomes of a call that would have to ask: it is denied, or waits for a decision in the inbox. */
  on_ask: onAsk.default('deny'),
});
export type CreateRunBody = z.infer<typeof createRunBody>;

/** Asks which documents a run would find now; of `prompt_id` where the filter narrows to those without a result. */
export const matchingDocumentsBody = z.strictObject({
  filter: documentFilter.default({}),
  prompt_id: objectId.optional(),
  max_documents: maxDocuments.optional(),
});
export type MatchingDocumentsBody = z.infer<typeof matchingDocumentsBody>;

/** How many match, and how many of them one run would work through. */
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
 * The frames of `GET …/runs/{run_id}/events`; the frame's `event` is the same name as `type`. First `run` with all that is
 * known, then `document` for each document that changes and `run` when counts or state do, last `done`.
 */
export const runEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run }),
  z.object({ type: z.literal('document'), run_id: recordId, document: runDocument }),
  z.object({ type: z.literal('done'), run }),
]);
export type RunEvent = z.infer<typeof runEvent>;
