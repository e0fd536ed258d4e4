import { z } from 'zod';
import {
  idListQuery,
  jsonObject,
  objectId,
  pageInfo,
  pageQuery,
  recordId,
  seenFields,
  timestamp,
  yesOrNo,
} from '../base/fields.ts';
import { smallJsonObject } from '../base/stored-json.ts';
import { incompleteResults } from '../extractions/extractions.ts';
import { documentRelease, releaseState } from '../extractions/release.ts';
import { autoCreate, autoCreateStatus } from './auto-create.ts';
import { machineData, readBy, signatureField, unreadParts } from './reading.ts';

export const documentState = z.enum([
  'uploaded',
  'ocr_processing',
  'ocr_completed',
  'ocr_failed',
  'llm_processing',
  'llm_completed',
  'llm_failed',
]);
export type DocumentState = z.infer<typeof documentState>;

/** Progress of text recognition: the number of finished pages. */
export const ocrProgress = z.object({ pages_done: z.number().int(), page_count: z.number().int() });

export const stateError = z.object({ code: z.string(), message: z.string() });

/** The first and the last page of a range, counted from 1. */
export const pageRange = z.tuple([z.number().int().min(1), z.number().int().min(1)]);

/**
 * What comes next for a document: it is being read or extracted; it is ready; a proposal waits; a user is needed (a call
 * waits, values are to check, a result is incomplete, or it failed); it is verified; it is released.
 */
export const documentStage = z.enum(['reading', 'ready', 'proposal', 'needs_you', 'verified', 'released']);
export type DocumentStage = z.infer<typeof documentStage>;

/** What users have to do with a document's results. */
export const documentResults = z.object({
  /** Values to check, as Review lists them. */
  to_check: z.number().int(),
  /** Whether a result is verified. */
  is_verified: z.boolean(),
});
export type DocumentResults = z.infer<typeof documentResults>;

/** A route that might be right. */
export const routeCandidate = z.object({
  route_id: recordId,
  why: z.string(),
  /** 0 to 1, calibrated on the decisions of users. Absent before there are enough of them. */
  confidence: z.number().optional(),
});

/** Where a document went when its text was ready, and who decided it. */
export const documentRouting = z.object({
  /** `unsure`: a user decides between the candidates; `waiting_split`: a user decides where its documents begin. */
  state: z.enum(['routed', 'unsure', 'none', 'waiting_split']),
  route_ids: z.array(recordId),
  why: z.string(),
  by: z.enum(['rule', 'model', 'user']),
  /** The routes that might be right, the likeliest first. */
  candidates: z.array(routeCandidate).optional(),
});
export type DocumentRouting = z.infer<typeof documentRouting>;

export const document = z.object({
  id: recordId,
  document_name: z.string(),
  mime_type: z.string(),
  /** null until the text has been read. */
  page_count: z.number().int().nullable(),
  size_bytes: z.number().int(),
  state: documentState,
  state_error: stateError.optional(),
  /** Present while pages are recognised. */
  ocr: ocrProgress.optional(),
  tag_ids: z.array(z.string()),
  metadata: jsonObject,
  upload_date: timestamp,
  uploaded_by: z.string(),
  auto_create: autoCreate.optional(),
  /** For a document that was split off another one: that document and the range of its pages. */
  split_from: z.object({ document_id: recordId, pages: z.array(pageRange) }).optional(),
  /** The document that this one was a file of: the mail of an attachment, the archive of a file. */
  attached_to: recordId.optional(),
  /** The document with the same bytes. A duplicate is not read, run or charged. */
  duplicate_of: recordId.optional(),
  /** The source that it came from. */
  source_id: recordId.optional(),
  /** The former version of the same file of a source. */
  replaces: recordId.optional(),
  /** The later version of the same file of a source. */
  replaced_by: recordId.optional(),
  /** Since when the file is no longer in its source. */
  missing_since: timestamp.optional(),
  /** Absent until the text is ready, and in organizations without routes. */
  routing: documentRouting.optional(),
  /** No model may see the document, except local ones. */
  never_to_model: z.boolean().optional(),
  /** What could not be read, at most 50 parts and one that counts the rest. Absent if everything was read. */
  unread: unreadParts.optional(),
  /** Data for machines inside of the document, with a single document alone. */
  machine_data: z.array(machineData).optional(),
  /** The fields for signatures of a PDF, at most 100, with a single document alone. Absent without such fields. */
  signatures: z.array(signatureField).optional(),
  /** Present if a result is incomplete, in lists and with a single document. */
  incomplete_results: incompleteResults.optional(),
  /** The newest results of its prompts. Absent without results. */
  results: documentResults.optional(),
  /** Calls of the agent that wait for a decision of the caller. Absent if none waits. */
  waiting_calls: z.number().int().optional(),
  /** The release of the newest result of each prompt, a verified one before later unverified ones. Absent without results. */
  releases: z.array(documentRelease).optional(),
});
export type Document = z.infer<typeof document>;

export const documentList = pageInfo.extend({ documents: z.array(document) });
export const documentName = z.string().trim().min(1).max(255);
/** Maximum size of a document's metadata as JSON, in bytes. */
export const maxMetadataBytes = 64 * 1024;
export const metadata = smallJsonObject(maxMetadataBytes);

export const documentListQuery = pageQuery.extend({
  name_search: z.string().max(200).optional(),
  tag_ids: idListQuery.optional(),
  state: documentState.optional(),
  /** Selects documents by the state of their proposal. `proposed` ones are pending. */
  auto_create: autoCreateStatus.optional(),
  /** Selects documents that have a result in this state. */
  release: releaseState.optional(),
  /** Selects documents by what comes next for them. Duplicates are in no stage. */
  stage: documentStage.optional(),
  /** Selects documents by where they went. */
  routing: documentRouting.shape.state.optional(),
  /** Selects the files of a mail or an archive. */
  attached_to: objectId.optional(),
  /** Default: false. Documents that a later version replaced are left out. */
  include_replaced: yesOrNo.optional(),
  /** Default: false. Only documents whose file is gone from its source (`missing_since`). */
  missing: yesOrNo.optional(),
  /** Default: the newest first. Names are compared case-insensitively. */
  sort: z.enum(['document_name', 'size_bytes', 'upload_date']).optional(),
  /** Default: `desc` for the date, `asc` for other fields. */
  order: z.enum(['asc', 'desc']).optional(),
});

/** Maximum number of tags of a document. */
export const maxDocumentTags = 100;
const tagIds = z.array(objectId).max(maxDocumentTags).optional();

/** `tag_ids` and `metadata` replace what is there; then the other fields add and remove, and so keep what others write. */
export const patchDocumentBody = z.object({
  seen: seenFields,
  document_name: documentName.optional(),
  tag_ids: tagIds,
  add_tag_ids: tagIds,
  remove_tag_ids: tagIds,
  metadata: metadata.optional(),
  /** Sets these keys; others stay. */
  set_metadata: metadata.optional(),
  remove_metadata: z.array(z.string().max(1000)).max(100).optional(),
  /** The document is one of its own although another one has the same bytes: it is read and run from now on. */
  duplicate_of: z.null().optional(),
  /** Members set it; only admins clear it. */
  never_to_model: z.boolean().optional(),
});
export type PatchDocumentBody = z.infer<typeof patchDocumentBody>;

export const pageNumberQuery = z.object({ page_num: z.coerce.number().int().min(1).optional() });
export const documentText = z.object({
  pages: z.array(
    z.object({
      page_num: z.number().int(),
      text: z.string(),
      /** Number of characters of invisible text, which is not part of `text`. */
      hidden_text: z.number().int().optional(),
      /** Why this page could not be read, if the others could. */
      ocr_error: stateError.optional(),
      /** The mean confidence of the recognised words, 0 to 1. Absent if there are none. */
      ocr_confidence: z.number().optional(),
      read_by: readBy.optional(),
      /** What could not be read on this page. */
      unread: unreadParts.optional(),
    }),
  ),
});
/** What recognises words in images. */
export const recognitionEngine = z.enum(['tesseract', 'ppocr']);
export type RecognitionEngine = z.infer<typeof recognitionEngine>;

/** A word with its bounding box. `confidence`, 0 to 1, is present if it was recognised from an image. */
export const word = z.object({
  text: z.string(),
  x0: z.number(),
  y0: z.number(),
  x1: z.number(),
  y1: z.number(),
  confidence: z.number().optional(),
  /** The engine that recognised it. Equal confidences of two engines do not mean the same. Absent for pages of earlier versions. */
  engine: recognitionEngine.optional(),
  /** The number stored in a cell of a workbook, at its first word, where the cell shows it differently. */
  raw: z.string().optional(),
});
/** Sizes and boxes are in points of the page as displayed, from the top left corner. */
export const documentWords = z.object({
  page: z.object({ width: z.number(), height: z.number() }),
  words: z.array(word),
  read_by: readBy.optional(),
  /** What could not be read on this page. */
  unread: unreadParts.optional(),
});

/** One frame of `GET …/documents/{id}/events`. */
export const documentEvent = z.object({
  type: z.literal('state'),
  document_id: recordId,
  state: documentState,
  state_error: stateError.optional(),
  page_count: z.number().int().nullable(),
  pages_done: z.number().int().optional(),
  /** A duplicate stays `uploaded`: it is not read. */
  duplicate_of: recordId.optional(),
  /** Present while pages are recognised. */
  ocr: ocrProgress.optional(),
  auto_create: z.object({ status: autoCreateStatus }).optional(),
  /** Number of changes of the document's results by runs, edits and verifications. When it differs, read the results again. */
  extraction_changes: z.number().int().optional(),
  /** Number of changes of what the results ask of users, such as the count of values to check: it is counted after the results. */
  review_changes: z.number().int().optional(),
  /** Number of changes of name, tags and metadata. */
  document_changes: z.number().int().optional(),
  /** Calls of the agent that wait for a decision of the caller. Absent if none waits. */
  waiting_calls: z.number().int().optional(),
});
export type DocumentEvent = z.infer<typeof documentEvent>;

/** An event of a list. The first one is sent at once, the others when the response of the list changes. */
export const documentListEvent = z.object({ type: z.literal('changed'), total_count: z.number().int() });
export type DocumentListEvent = z.infer<typeof documentListEvent>;

export const maxSplitParts = 500;
export const splitBody = z.object({
  parts: z
    .array(
      z.object({
        name: documentName,
        pages: z.array(pageRange).min(1).max(100),
        tag_ids: z.array(objectId).max(100).optional(),
      }),
    )
    .min(1)
    .max(maxSplitParts),
});
export type SplitBody = z.infer<typeof splitBody>;
export const splitAnswer = z.object({
  documents: z.array(document),
  /** Pages in more than one part, and pages in no part. Both are allowed. */
  pages_in_several: z.array(z.number().int()),
  pages_in_none: z.array(z.number().int()),
});
export type SplitAnswer = z.infer<typeof splitAnswer>;
/** The documents that a file probably contains. A user or an agent decides. */
export const splitProposal = z.object({
  parts: z.array(
    z.object({
      name: z.string(),
      pages: z.array(pageRange),
      reason: z.string(),
      /** The confidence that a document begins there, 0 to 1. */
      probability: z.number(),
      /** The highest confidence that another document begins on a later page of it, 0 to 1. */
      inner_probability: z.number(),
    }),
  ),
});
export type SplitProposal = z.infer<typeof splitProposal>;
