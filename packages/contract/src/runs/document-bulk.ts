import { z } from 'zod';
import { objectId, pageInfo, pageQuery, recordId, timestamp } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import { documentListQuery, documentState } from '../documents/documents.ts';
import { headlessMessage } from './schedules.ts';

/** Maximum number of documents of a bulk job. */
export const maxBulkDocuments = 50_000;
/** Maximum number of documents of a bulk job that calls a model: `extract`, `auto_create` and `message`. */
export const maxModelBulkDocuments = 10_000;

/**
 * What a bulk job does with each document. `delete` moves it to the trash, `restore` and `purge` work on documents in the
 * trash; `extract`, `auto_create` and `message` are one run each.
 */
export const documentBulkAction = z.enum([
  'tag',
  'untag',
  'delete',
  'restore',
  'purge',
  'extract',
  'auto_create',
  'message',
]);
export type DocumentBulkAction = z.infer<typeof documentBulkAction>;

/** The query of the document list, as JSON and without its page. Strict, because a misspelled filter would select every document. */
export const documentSelection = z.strictObject({
  name_search: z.string().max(200).optional(),
  /** Documents with all of these tags. */
  tag_ids: z.array(objectId).max(100).optional(),
  state: documentState.optional(),
  auto_create: documentListQuery.shape.auto_create,
  release: documentListQuery.shape.release,
  stage: documentListQuery.shape.stage,
  routing: documentListQuery.shape.routing,
  attached_to: documentListQuery.shape.attached_to,
  /** Default: false. Documents that a later version replaced are left out. */
  include_replaced: z.boolean().optional(),
  /** Default: false. Only documents whose file is gone from its source. */
  missing: z.boolean().optional(),
  sort: documentListQuery.shape.sort,
  order: documentListQuery.shape.order,
});
export type DocumentSelection = z.infer<typeof documentSelection>;

/** Either `query` or `document_ids`, and the fields of the action. */
export const createDocumentBulkBody = z.strictObject({
  query: documentSelection.optional(),
  document_ids: z.array(objectId).min(1).max(maxModelBulkDocuments).optional(),
  action: documentBulkAction,
  /** For `tag` and `untag`. */
  tag_ids: z.array(objectId).min(1).max(100).optional(),
  /** For `extract`: the current revision of this prompt; without it each document's own prompt. */
  prompt_id: objectId.optional(),
  /** The message of `message`; for `auto_create` it replaces the default first message. */
  message: headlessMessage.optional(),
  /** For `message`: the writing tools that are allowed. Other calls that need approval are denied. */
  auto_approved_tools: z.array(z.string().min(1).max(200)).max(100).optional(),
  /** For `message` and `auto_create`: whether a call that needs approval is denied (default) or waits in the inbox. */
  on_ask: onAsk.optional(),
  /** The number of documents that the user saw. If the selection has another size, the request fails: 409 `selection_changed`. */
  expected_count: z.number().int().min(0).optional(),
  /**
   * For `extract` and `auto_create`: default false, and documents that the estimate leaves out are among the failures. If
   * true, they are no part of the job, and counted in `left_out`.
   */
  only_estimated: z.boolean().optional(),
  /** For `tag`: the number of extractions of the estimate, if the tags start more than 20. */
  confirm: z.strictObject({ extractions: z.number().int().min(1) }).optional(),
});
export type CreateDocumentBulkBody = z.infer<typeof createDocumentBulkBody>;

/** Either `query` or `document_ids`, as of the bulk job. */
export const estimateDocumentBulkBody = createDocumentBulkBody
  .pick({ query: true, document_ids: true, prompt_id: true })
  .extend({
    /** Default: `extract`. */
    action: documentBulkAction.extract(['extract', 'auto_create']).optional(),
  });
export type EstimateDocumentBulkBody = z.infer<typeof estimateDocumentBulkBody>;

/** What `extract` or `auto_create` would do with the documents. The numbers of documents add up to `documents`. */
export const bulkEstimate = z.object({
  documents: z.number().int(),
  /** The documents of each prompt that would run. Some of them can be kept, because a user has corrected or verified them. */
  by_prompt: z.array(
    z.object({
      prompt_id: recordId,
      prompt_revid: recordId,
      name: z.string(),
      documents: z.number().int(),
      /** Estimated from `sampled` documents that are spread over them. */
      requests: z.number().int(),
      spu_estimated: z.number().int(),
      sampled: z.number().int(),
    }),
  ),
  /** For `auto_create`: the documents that the agent would prepare. */
  prepared: z
    .object({
      documents: z.number().int(),
      /** As many as the last preparations of the organization took; null if there were none. */
      spu_estimated: z.number().int().nullable(),
      /** The number of those preparations. */
      sampled: z.number().int(),
    })
    .optional(),
  /** Documents that no prompt applies to. 0 for `auto_create`. */
  without_prompt: z.number().int(),
  /**
   * Documents whose only prompt is that of a proposal that waits for a decision, which never runs unasked. For
   * `auto_create`: documents with such a proposal.
   */
  only_pending_proposal: z.number().int(),
  /** Documents whose text could not be read. */
  without_text: z.number().int(),
  /** Documents with the same bytes as another one, which are neither extracted nor prepared. */
  duplicates: z.number().int(),
});
export type BulkEstimate = z.infer<typeof bulkEstimate>;

/**
 * `queued` and `running` are active; `completed` worked through all documents; `stopped` was stopped by a user; `failed`
 * could not start.
 */
export const documentBulkState = z.enum(['queued', 'running', 'completed', 'stopped', 'failed']);
export type DocumentBulkState = z.infer<typeof documentBulkState>;

const reason = z.object({ code: z.string(), message: z.string() });
const documentReason = reason.extend({
  document_id: recordId,
  /** null once the document is deleted. */
  document_name: z.string().nullable(),
});

/** A document whose part of the job cannot be undone, and why. */
export const bulkUndoConflict = z.object({
  document_id: recordId,
  what: z.string(),
  /** Who has changed it since, if known. */
  changed_by: z.string().nullable(),
  changed_at: timestamp.nullable(),
});

/** `incomplete`: some documents could not be restored, see `conflicts`. Another undo retries them. */
export const bulkUndo = z.object({
  state: z.enum(['running', 'completed', 'incomplete']),
  /** Number of documents whose changes were undone. */
  undone: z.number().int(),
  /** The first hundred. */
  conflicts: z.array(bulkUndoConflict),
});

/** One job over many documents. */
export const documentBulk = z.object({
  id: recordId,
  action: documentBulkAction,
  state: documentBulkState,
  /** The query of the request; null when it named `document_ids`. */
  query: documentSelection.nullable(),
  /** Number of documents selected when the job was created. Later documents are not part of it. */
  total: z.number().int(),
  /** Number of finished documents: the sum of `succeeded`, `skipped` and `failed`. */
  done: z.number().int(),
  /** Documents that are now in the state that the action sets. */
  succeeded: z.number().int(),
  /** Documents in `succeeded` that were in this state before. */
  unchanged: z.number().int(),
  /** Documents that were not changed, such as those with a verified result. */
  skipped: z.number().int(),
  failed: z.number().int(),
  /** Documents that were not worked on, because the job was stopped first. */
  cancelled: z.number().int(),
  /** Chosen documents that are no part of the job, because of `only_estimated`. Not in `total`. */
  left_out: z.number().int(),
  /** The first hundred documents that failed, with the reason. */
  failures: z.array(documentReason),
  tag_ids: z.array(z.string()),
  prompt_id: recordId.nullable(),
  message: z.string().nullable(),
  /** For `extract`, `auto_create` and `message`: the run that executes the job. */
  run_id: recordId.nullable(),
  /** Why the job failed as a whole. */
  error: reason.nullable(),
  /** End of the undo period; null while the job is active, and for jobs that cannot be undone. */
  undo_until: timestamp.nullable(),
  /** null until the job is undone. */
  undo: bulkUndo.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  requested_by: z.string(),
});
export type DocumentBulk = z.infer<typeof documentBulk>;

export const documentBulkList = pageInfo.extend({ bulk_jobs: z.array(documentBulk) });
export const documentBulkListQuery = pageQuery;

/**
 * The frames of `GET …/documents/bulk/{bulk_id}/events`; the frame's `event` is the same name as `type`. First `bulk` with
 * the current state, then `bulk` for each change, last `done`. During an undo, `done` follows when the undo has ended.
 */
export const documentBulkEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bulk'), bulk: documentBulk }),
  z.object({ type: z.literal('done'), bulk: documentBulk }),
]);
export type DocumentBulkEvent = z.infer<typeof documentBulkEvent>;
