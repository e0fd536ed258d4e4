import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { objectId, recordId } from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';
import {
  document,
  documentEvent,
  documentList,
  documentListEvent,
  documentListQuery,
  documentName,
  documentText,
  documentWords,
  metadata,
  pageNumberQuery,
  patchDocumentBody,
  splitAnswer,
  splitBody,
  splitProposal,
} from './documents.ts';
import { trashDays } from './trash.ts';

export const findQuery = z.object({
  /** Words that must all be in the name, on the page or in the values. */
  q: z.string().trim().min(2).max(200),
  limit: z.coerce.number().int().min(1).max(20).default(10),
});
export type FindQuery = z.infer<typeof findQuery>;

/** A document whose name, page or extracted values contain the words. */
export const foundPlace = z.object({
  document_id: recordId,
  document_name: z.string(),
  /** The places that contain the words. */
  kind: z.enum(['name', 'value', 'page']),
  /** Of a page: its number, from 1. */
  page_num: z.number().int().optional(),
  /** Of a page: the range of the first word in its text, in UTF-16 units. */
  start: z.number().int().optional(),
  end: z.number().int().optional(),
  /** Of a value: its path, and the revision of the prompt whose result has it. */
  path: z.string().optional(),
  prompt_revid: recordId.optional(),
  /** The value, or the text around the first word. */
  excerpt: z.string().optional(),
});
export type FoundPlace = z.infer<typeof foundPlace>;

/** Names first, then values, then pages. */
export const foundPlaces = z.object({ places: z.array(foundPlace) });

/** The most files of one upload. */
export const maxFiles = 100;

/** The password of a PDF. It is used once and not stored. */
export const filePassword = z.string().min(1).max(500);
export const unlockBody = z.object({ password: filePassword });

export const uploadQuery = z.object({
  /** How many files the person chose together, of which this request sends some. */
  batch_size: z.coerce.number().int().min(1).max(1_000_000).optional(),
});

/** An upload as JSON. A multipart upload has the same fields beside `files`. */
export const uploadBody = z.object({
  documents: z
    .array(
      z.object({
        name: documentName,
        /** Base64. It is checked when it is decoded, because matching a pattern against megabytes of text is slow. */
        content: z.string().min(1),
        tag_ids: z.array(objectId).max(100).optional(),
        metadata: metadata.optional(),
        auto_create: z.boolean().optional(),
        /** What happens to a call of the proposal that needs approval. Default: the organization's `auto_create_on_ask`. */
        on_ask: onAsk.optional(),
        /** Default: true. With false, files inside of it are named in `unread` and are no documents. */
        include_attachments: z.boolean().optional(),
        /** For a PDF that needs one. The stored file needs none any more. */
        password: filePassword.optional(),
      }),
    )
    .min(1)
    .max(100, 'One upload takes at most 100 documents. Send the others in further requests.'),
});
export const uploadAnswer = z.object({ documents: z.array(document) });

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: z.unknown() } },
});
const uploadForm = z.object({
  files: z.array(z.file()).min(1).max(maxFiles),
  tag_ids: z.string().optional().describe('Comma separated, or a JSON list.'),
  metadata: z.string().optional().describe('A JSON object.'),
  auto_create: z.enum(['true', 'false']).optional(),
  on_ask: onAsk.optional(),
  include_attachments: z.enum(['true', 'false']).optional(),
  password: filePassword.optional(),
});

export const documentOperations = describeOperations('documents', {
  'GET /v0/orgs/:org_id/find': {
    operationId: 'findDocuments',
    summary: 'Find documents by name, words on their pages, and extracted values',
    description:
      'All words of `q` must be in the name (any part of it), in the values of one result, or on one page. Case, accents and Unicode forms are ignored, and `ß` equals `ss`. Words of values are also found by their beginning, from three characters on. `limit` is the maximum number of each kind; a document is listed once for each kind. Documents in the trash are not found.',
    querystring: findQuery,
    response: { 200: foundPlaces },
  },
  'GET /v0/orgs/:org_id/documents/events': {
    operationId: 'followDocuments',
    summary: 'Follow a page of the list of documents (SSE)',
    description:
      'Takes the query of the list. Sends an event `changed` at once and whenever the answer to the query changes: read the list again then. Its data has the `total_count` of the query.',
    errors: ['too_many_streams'],
    querystring: documentListQuery,
    response: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: documentListEvent } } },
    },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/events': {
    operationId: 'followDocument',
    summary: 'Follow the state of a document (SSE)',
    description: `Sends an event \`state\` at once and whenever state, progress, results, name, tags or metadata change, until the client disconnects or the document is deleted. Its data has ${Object.keys(documentEvent.shape).join(', ')}. While pages are recognised, \`ocr\` has their progress. A new \`extraction_changes\` means that results have changed; a new \`review_changes\` that their values to check were counted again; a new \`document_changes\` that name, tags or metadata have.`,
    errors: ['document_not_found', 'too_many_streams'],
    response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: documentEvent } } } },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/password': {
    operationId: 'unlockDocument',
    summary: 'Open a PDF with its password',
    description:
      'For a document whose `state_error` is `password_required`. The password is used once and not stored: the stored file needs none any more. Then the text is read.',
    body: unlockBody,
    errors: ['viewer_cannot_write', 'document_not_found', 'no_password_needed', 'wrong_file_password', 'damaged_file'],
    response: { 200: document },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/file': {
    operationId: 'downloadDocument',
    summary: 'Download the original bytes',
    description:
      'One byte range is answered with 206, several separate ranges with the whole file, and a range outside the file with 416. `If-None-Match` with the `ETag` of an earlier answer is answered with 304. A download from which nothing is read for two minutes ends.',
    errors: ['document_not_found', 'range_not_satisfiable', 'too_many_downloads'],
    response: {
      200: bytes('The file.'),
      206: bytes('The requested range.'),
      304: z.undefined().describe('The file that the caller has is current.'),
    },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/picture': {
    operationId: 'getPagePicture',
    summary: 'A small picture of one page',
    description:
      'At most 1,100 pixels and 60 kB, or the scan itself if it is as small. Page 1 by default. PDF, TIFF and pictures have one. `If-None-Match` with the `ETag` of an earlier answer is answered with 304.',
    querystring: pageNumberQuery,
    errors: ['document_not_found', 'page_not_found', 'no_page_image', 'page_not_drawn'],
    response: {
      200: bytes('The picture.'),
      304: z.undefined().describe('The picture that the caller has is current.'),
    },
  },
  'GET /v0/orgs/:org_id/documents': {
    operationId: 'listDocuments',
    summary: 'List documents, newest first by default',
    description:
      '`tag_ids` (comma separated or repeated) selects documents that have all of these tags. `sort` is `document_name` (ignores case), `size_bytes` or `upload_date`; `order` is `asc` or `desc`. Documents that a later version replaced are left out without `include_replaced`; `missing` selects those whose file is gone from its source. `total_count` counts up to 10,000, then `total_is_minimum` is set; `exact_count=true` counts all. `stage` selects by what comes next: `needs_you` are documents with a call that waits for you (`waiting_calls`), values to check, an incomplete result or a failure. `incomplete_results` is present if results of a document are incomplete.',
    querystring: documentListQuery,
    response: { 200: documentList },
  },
  'GET /v0/orgs/:org_id/documents/:document_id': {
    operationId: 'getDocument',
    summary: 'Get a document',
    description: 'Includes `auto_create.agent_log`, which lists leave out.',
    errors: ['document_not_found'],
    response: { 200: document },
  },
  'PATCH /v0/orgs/:org_id/documents/:document_id': {
    operationId: 'updateDocument',
    summary: 'Change name, tags or metadata of a document',
    description:
      'Omitted fields do not change. `add_tag_ids`, `remove_tag_ids`, `set_metadata` and `remove_metadata` keep what others write meanwhile; `tag_ids` and `metadata` replace all. `duplicate_of: null` makes a duplicate a document of its own, which is then read. `never_to_model: true` keeps the document from all models; only an admin clears it.',
    body: patchDocumentBody.meta({
      examples: [
        {
          document_name: 'Invoice 1042.pdf',
          tag_ids: ['6650f1c2a4b3d2e1f0a9b8c7'],
          metadata: { cost_center: '4711' },
        },
      ],
    }),
    errors: [
      'unknown_reference',
      'viewer_cannot_write',
      'admin_required',
      'document_not_found',
      'document_too_full',
      'version_conflict',
    ],
    response: { 200: document },
  },
  'DELETE /v0/orgs/:org_id/documents/:document_id': {
    operationId: 'deleteDocument',
    summary: 'Move a document to the trash',
    description: `Includes everything that belongs to it. It can be restored for ${trashDays} days; then it is removed for good.`,
    errors: ['viewer_cannot_write', 'document_not_found'],
    response: { 204: z.undefined() },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/text': {
    operationId: 'getDocumentText',
    summary: 'Read the text of all pages or of one',
    description:
      '`hidden_text` counts the characters that are left out because a reader cannot see them; `ocr_error` is the reason why a scanned page could not be read; `unread` names what could not be read. While the document is `ocr_processing`, scanned pages are still empty.',
    querystring: pageNumberQuery,
    errors: ['document_not_found', 'page_not_found'],
    response: { 200: documentText },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/words': {
    operationId: 'getPageWords',
    summary: 'Read the words of one page with their boxes',
    description:
      'Boxes are in points of the displayed page, origin top left; one pixel of an image is one point. Page 1 by default. Recognised words have a `confidence` from 0 to 1, and the `engine` that read them.',
    querystring: pageNumberQuery,
    errors: ['document_not_found', 'page_not_found'],
    response: { 200: documentWords },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/split': {
    operationId: 'splitDocument',
    summary: 'Split a PDF into documents',
    description:
      'The original stays. Each new document has `split_from`; text, words and boxes are copied, so nothing is recognised again. Pages in several parts or in none are allowed and listed in the answer.',
    body: splitBody,
    errors: [
      'cannot_split',
      'pages_out_of_range',
      'unknown_reference',
      'viewer_cannot_write',
      'document_not_found',
      'document_not_read_yet',
      'document_has_no_text',
    ],
    response: { 201: splitAnswer },
  },
  'GET /v0/orgs/:org_id/documents/:document_id/split': {
    operationId: 'proposeSplit',
    summary: 'Propose how to split a PDF into documents',
    description:
      'Uses page numbering, letterheads, titles and document numbers; it asks no model and writes nothing. Each part has the reason why it starts there, and a probability.',
    errors: ['cannot_split', 'document_not_found', 'document_not_read_yet', 'document_has_no_text'],
    response: { 200: splitProposal },
  },
  'POST /v0/orgs/:org_id/documents': {
    operationId: 'uploadDocuments',
    summary: 'Upload documents',
    description:
      'Either JSON with base64 contents, or multipart/form-data with one or more `files` and, for all of them, the optional fields `tag_ids` (comma separated), `metadata` (JSON), `auto_create` (true or false), `on_ask` (`deny` or `park`), `include_attachments` (true or false) and `password`. With `auto_create` an unattended run proposes a schema, a prompt and an extraction once the text is ready; the default is the organization’s `auto_create_default`. `on_ask` decides whether a call of that run that needs approval is denied or waits in the inbox; the default is the organization’s `auto_create_on_ask`. The bytes of a document that exists become a duplicate, are refused or kept, as the organization’s `on_duplicate` says. The file type is detected from the bytes. Files inside of a mail or an archive become documents of their own (`attached_to`), unless `include_attachments` is false. `password` opens a PDF; it is used once and not stored, and the stored file needs none any more. If one file is refused, none is stored. `batch_size` says how many files a person chose together if they come in several requests: of more than 20, ten are read before what others of the organization upload in large numbers, so that what the same person uploads beside them does not wait for all.',
    querystring: uploadQuery,
    form: uploadForm,
    body: uploadBody.nullish().meta({
      examples: [
        { documents: [{ name: 'note.txt', content: 'VG90YWw6IDUuMDA=', metadata: { a: 1 }, auto_create: true }] },
      ],
    }),
    errors: [
      'empty_file',
      'malformed_multipart',
      'no_files',
      'unknown_reference',
      'viewer_cannot_write',
      'file_too_large',
      'too_many_files',
      'encrypted_office_file',
      'legacy_office_file',
      'unsupported_file_type',
      'invalid_field',
      'duplicate',
      'not_base64',
      'wrong_file_password',
    ],
    response: { 201: uploadAnswer },
  },
});
