import type {
  Document,
  DocumentEvent,
  documentList,
  documentListQuery,
  documentText,
  documentWords,
  JsonObject,
  OnAsk,
  SplitBody,
  uploadAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError, DocwrightError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import { multipartBody, type UploadProgress } from '../uploads/multipart.ts';
import { openSource, type UploadSource } from '../uploads/upload-source.ts';

/** A page of documents. */
export type DocumentList = z.infer<typeof documentList>;
/** The text of pages, in order. */
export type DocumentText = z.infer<typeof documentText>;
/** The words of a page with their boxes in points, from the top left corner. */
export type DocumentWords = z.infer<typeof documentWords>;
/** Filter, order and page of `documents.list`. By default the newest document comes first. */
export type DocumentQuery = Partial<z.infer<typeof documentListQuery>>;

/** Options for all files of an upload. */
export interface UploadOptions extends CallOptions {
  tag_ids?: string[] | undefined;
  /** At most 64 KiB as JSON. */
  metadata?: JsonObject | undefined;
  /** Whether the agent proposes a schema, a prompt and an extraction. Default: the organization's setting. */
  auto_create?: boolean | undefined;
  /** What happens to a call of the proposal that needs approval. Default: the organization's setting. */
  on_ask?: OnAsk | undefined;
  /** Default: true. With false, files inside of a mail or an archive are named as unread and are no documents. */
  include_attachments?: boolean | undefined;
  /** For PDFs that need one. It is used once and not stored. */
  password?: string | undefined;
  /** Called at the start of each file and after each chunk. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

const unreadStates = new Set(['uploaded', 'ocr_processing']);

/** Documents, their files and their texts. */
export function createDocuments(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, ...rest];
  const list = api.operation('GET /v0/orgs/:org_id/documents', 'query');

  async function* events(documentId: string, options?: CallOptions): AsyncGenerator<DocumentEvent, void, undefined> {
    let hasStarted = false;
    try {
      for await (const event of followEvents<DocumentEvent>(api, at(documentId, 'events'), undefined, options)) {
        hasStarted = true;
        yield event;
      }
    } catch (error) {
      const isDeleted = hasStarted && error instanceof DocwrightError && error.status === 404;
      if (!isDeleted) throw error;
    }
  }

  const documents = {
    /** Lists a page of documents. */
    list,

    /** Yields all documents that match the query. */
    listAll: listAllOf(list, ({ documents }) => documents),

    /** A document, with the log of its proposal. */
    get: api.operation('GET /v0/orgs/:org_id/documents/:document_id'),

    /**
     * Finds documents by their names, the words on their pages and their extracted values.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { places } = await docwright.documents.find({ q: 'INV08664' });
     * console.log(places.map(({ document_name, kind, page_num, path }) => [document_name, kind, page_num ?? path]));
     * ```
     */
    find: api.operation('GET /v0/orgs/:org_id/find', 'query'),
    /** Changes the given fields: name, tags or metadata. */
    update: api.operation('PATCH /v0/orgs/:org_id/documents/:document_id', 'body'),

    /** Moves a document to the trash. `trash.restore` restores it within 30 days. */
    delete: api.operation('DELETE /v0/orgs/:org_id/documents/:document_id'),

    /** Opens a PDF that waits for its password (`state_error` is `password_required`), and has it read. */
    unlock: (documentId: string, password: string, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/password', 'body')(documentId, { password }, options),

    /** Finds the documents in a PDF that contains several. Writes nothing. */
    proposeSplit: api.operation('GET /v0/orgs/:org_id/documents/:document_id/split'),

    /** Creates documents from pages of a PDF. The original is kept, and text is not recognised again. */
    split: (documentId: string, parts: SplitBody['parts'], options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/split', 'body')(documentId, { parts }, options),

    /** Uploads files in one request: either all are stored, or none. */
    async uploadMany(sources: readonly UploadSource[], options: UploadOptions = {}): Promise<Document[]> {
      const { tag_ids, metadata, auto_create, on_ask, include_attachments, password, onProgress, ...call } = options;
      if (sources.length === 0) throw clientError('invalid_argument', 'Name at least one file to upload.');
      const files = await Promise.all(sources.map(openSource));
      const fields = {
        ...(tag_ids && { tag_ids: tag_ids.join(',') }),
        ...(metadata && { metadata: JSON.stringify(metadata) }),
        ...(auto_create !== undefined && { auto_create: String(auto_create) }),
        ...(on_ask !== undefined && { on_ask }),
        ...(include_attachments !== undefined && { include_attachments: String(include_attachments) }),
        ...(password !== undefined && { password }),
      };
      const stream = multipartBody(fields, files, onProgress);
      const request = { timeoutMs: 0, ...call, method: 'POST' as const, stream };
      return (await api.json<z.infer<typeof uploadAnswer>>(['documents'], request)).documents;
    },

    /**
     * Uploads one file.
     *
     * @throws DocwrightError `unreadable_file` if there is no such file
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { id } = await docwright.documents.upload('invoice.pdf', {
     *   onProgress: ({ loaded, total }) => console.log(`${loaded} of ${total} bytes`),
     * });
     * const { state } = await docwright.documents.waitForText(id);
     * console.log(state);
     * ```
     */
    async upload(source: UploadSource, options: UploadOptions = {}): Promise<Document> {
      const [document] = await documents.uploadMany([source], options);
      if (document === undefined) throw clientError('not_docwright', 'The server did not answer with a document.');
      return document;
    },

    /** The original file, as the body of the response. */
    file: (documentId: string, options?: CallOptions): Promise<Response> =>
      api.open(at(documentId, 'file'), { ...options, headers: { accept: '*/*' } }),

    /** The text of all pages, or of the page `page_num`, which counts from 1. */
    text: (documentId: string, page_num?: number, options?: CallOptions) =>
      api.operation('GET /v0/orgs/:org_id/documents/:document_id/text', 'query')(documentId, { page_num }, options),

    /** A small picture of one page, which counts from 1, as the body of the response. */
    picture: (documentId: string, page_num: number, options?: CallOptions): Promise<Response> =>
      api.open(at(documentId, 'picture'), { ...options, headers: { accept: '*/*' } }, { page_num }),

    /** The words of one page, which counts from 1. */
    words: (documentId: string, page_num: number, options?: CallOptions) =>
      api.operation('GET /v0/orgs/:org_id/documents/:document_id/words', 'query')(documentId, { page_num }, options),

    /** Yields the current state and every change, until the document is deleted. A lost connection is reopened. */
    events,

    /**
     * Waits until the text of a document has been read. A duplicate (`duplicate_of`) is never read and returned at once.
     *
     * @throws DocwrightError with the code of `state_error` when the text cannot be read; `connection_lost` if no events arrive.
     */
    async waitForText(documentId: string, options?: CallOptions): Promise<Document> {
      for await (const { state, state_error, duplicate_of } of events(documentId, options)) {
        if (duplicate_of === undefined && unreadStates.has(state)) continue;
        if (state === 'ocr_failed') {
          throw new DocwrightError(state_error ?? { code: 'ocr_failed', message: 'The text could not be read.' });
        }
        break;
      }
      const document = await documents.get(documentId, options);
      if (document.duplicate_of === undefined && unreadStates.has(document.state)) {
        throw clientError(
          'connection_lost',
          `The events of document ${documentId} do not arrive. It is still being read.`,
        );
      }
      return document;
    },
  };
  return documents;
}
