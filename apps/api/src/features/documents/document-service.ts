import type { PageRegion } from '@docwright/agent-core';
import { DomainError, type Document, type DocumentResults, type IncompleteResults } from '@docwright/contract';
import { unlockPdf } from '@docwright/documents';
import { declareWrites, type AuditWrites, type NoteWrite } from '../audit/index.ts';
import { requireAdmin, requireWriter, type Actor } from '../identity/index.ts';
import { requireSeen, withoutAdded } from '../../platform/records/seen-edit.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import { documentNameFrom } from './records/document-name.ts';
import type { DocumentQuery, DocumentRepository } from './records/document-repository.ts';
import type { DocumentUpdate } from './records/document-change.ts';
import type { ModelRunPrompt } from './records/model-run-prompt.ts';
import { duplicateHasNoText, isBeingRead } from './records/unread-document.ts';
import type { DuplicateRepository } from './records/duplicate-repository.ts';
import type { FileRepository } from './files/file-repository.ts';
import type { PageImages } from './reading/page-image-service.ts';
import type { WaitingCalls } from './records/waiting-call-repository.ts';
import type { PageRepository } from './reading/page-repository.ts';
import type { TextQueueRepository } from './reading/text-queue-repository.ts';

interface DocumentServiceDependencies {
  auditWrites: AuditWrites;
  documentsOf: (organizationId: string) => DocumentRepository;
  duplicatesOf: (organizationId: string) => DuplicateRepository;
  pagesOf: (organizationId: string) => PageRepository;
  files: FileRepository;
  imagesOf: (organizationId: string) => PageImages;
  queue: Pick<TextQueueRepository, 'readFrom'>;
  /** Counts a change of what the file of a document stores. */
  countFile: (organizationId: string, documentId: string, bytes: number) => void;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  incompleteResults: ReadIncompleteResults;
  wakeTextReader: () => Promise<void>;
  results: ReadDocumentResults;
  waitingCalls: (actor: Actor) => WaitingCalls;
  trashedByCall: (organizationId: string, id: string) => Promise<{ document: Document; callId: string } | undefined>;
  /** Ends unattended work on documents that were moved to the trash. */
  stopWork: (organizationId: string, documentIds: readonly string[]) => Promise<void>;
}

/** Finds the documents with incomplete results, by document id. */
export type ReadIncompleteResults = (
  organizationId: string,
  documentIds: readonly string[],
) => Promise<ReadonlyMap<string, IncompleteResults>>;

/** The state of the results of documents, by document id. */
export type ReadDocumentResults = (
  organizationId: string,
  documentIds: readonly string[],
) => Promise<ReadonlyMap<string, DocumentResults>>;

/** The documents that a user can access in one organization. Throws `document_not_found` for a missing id. */
export type DocumentService = ReturnType<typeof documentServiceFor>;

const writes = declareWrites<DocumentService>({
  update: { tool: 'update_document', takes: ['document_id', '...', 'origin'] },
  unlock: { tool: 'unlock_document', takes: ['document_id', '-', 'note'] },
  delete: { tool: 'delete_document', takes: ['document_id', 'origin'] },
});

export function createDocumentService(dependencies: DocumentServiceDependencies): (actor: Actor) => DocumentService {
  return dependencies.auditWrites(writes, (actor) => documentServiceFor(actor, dependencies));
}

function documentServiceFor(actor: Actor, dependencies: DocumentServiceDependencies) {
  const { files, checkTags, stopWork } = dependencies;
  const documents = dependencies.documentsOf(actor.organizationId);
  const duplicates = dependencies.duplicatesOf(actor.organizationId);
  const pages = dependencies.pagesOf(actor.organizationId);
  const images = dependencies.imagesOf(actor.organizationId);

  async function get(id: string): Promise<Document> {
    return orNotFound(await documents.get(id));
  }

  async function withResults(found: readonly Document[]): Promise<Document[]> {
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const [incompleteResults, resultsOf, waiting] = await Promise.all([
      dependencies.incompleteResults(actor.organizationId, ids),
      dependencies.results(actor.organizationId, ids),
      dependencies.waitingCalls(actor).counts(ids),
    ]);
    return found.map((document) => {
      const incomplete_results = incompleteResults.get(document.id);
      const results = resultsOf.get(document.id);
      const waiting_calls = waiting.get(document.id);
      return {
        ...document,
        ...(incomplete_results && { incomplete_results }),
        ...(results && { results }),
        ...(waiting_calls && { waiting_calls }),
      };
    });
  }

  return {
    get,
    async list(query: DocumentQuery) {
      const stageFacts = query.stage === undefined ? undefined : await dependencies.waitingCalls(actor).stageFacts();
      const listed = await documents.list({ ...query, stageFacts });
      return { ...listed, documents: await withResults(listed.documents), skip: query.skip, limit: query.limit };
    },
    /** Adds `incomplete_results`, `results` and `waiting_calls` to documents, with a few queries for all. */
    withResults,
    /** `waiting_calls`: the number of calls that wait for a decision of the user. */
    async progress(id: string) {
      const progress = orNotFound(await documents.progressOf(id));
      const waiting = await dependencies.waitingCalls(actor).counts([id]);
      return { ...progress, waiting_calls: waiting.get(progress.document.id) ?? 0 };
    },
    /** Page texts in order. Throws `page_not_found` for a missing page. */
    async texts(id: string, pageNumber?: number) {
      const [document, texts] = await Promise.all([get(id), pages.texts(id, pageNumber)]);
      if (pageNumber !== undefined && texts.length === 0) throw noSuchPage(document, pageNumber);
      return texts;
    },
    /** Page texts in order, one by one. */
    async *eachText(id: string) {
      await get(id);
      yield* pages.eachText(id);
    },
    async words(id: string, pageNumber: number) {
      const document = await get(id);
      const page = await pages.words(id, pageNumber);
      if (page === undefined) throw noSuchPage(document, pageNumber);
      const { width, height, ...read } = page;
      return { page: { width, height }, ...read };
    },
    /** Pages with words and boxes: all, or the first ones that start within `maxCharacters`. */
    async pages(id: string, maxCharacters?: number) {
      await get(id);
      return await pages.pages(id, maxCharacters);
    },
    /**
     * A page or a region of it as an image of at most 1 MB. Throws `no_page_image`, `page_not_found`, `page_not_drawn`.
     */
    async image(id: string, pageNumber: number, region?: PageRegion) {
      const { file_id, document } = orNotFound(await documents.fileOf(id));
      return await images.draw({ document, fileId: file_id, pageNumber, region });
    },
    /** A small picture of a page. Throws the same. */
    async screenPicture(id: string, pageNumber: number) {
      const { file_id, document } = orNotFound(await documents.fileOf(id));
      return await images.forScreen({ document, fileId: file_id, pageNumber });
    },
    /** Pages with words and boxes in order, one by one; none if the document does not exist. */
    eachPage: (id: string) => pages.eachPage(id),
    /** The pages `from` to `to`, inclusive. */
    async pagesBetween(id: string, from: number, to: number) {
      await get(id);
      return await pages.pagesBetween(id, from, to);
    },
    /** The same without words. */
    async textsBetween(id: string, from: number, to: number) {
      await get(id);
      return await pages.textsBetween(id, from, to);
    },
    async openFile(id: string) {
      const { file_id, document } = orNotFound(await documents.fileOf(id));
      return { document, read: (range: { start: number; end: number }) => files.open(file_id, range) };
    },
    async update(id: string, change: DocumentUpdate, origin?: WriteOrigin) {
      const before = await get(id);
      const seen = withoutAdded(change.seen, 'auto_create', 'incomplete_results', 'results', 'waiting_calls');
      requireSeen('document', seen, before);
      if (change.never_to_model === false && before.never_to_model === true) requireAdmin(actor);
      await checkTags(actor.organizationId, [...(change.tag_ids ?? []), ...(change.add_tag_ids ?? [])]);
      const { document_name, duplicate_of, ...rest } = change;
      if (duplicate_of === null) {
        requireWriter(actor);
        if (await duplicates.makeOwn(id)) await dependencies.wakeTextReader();
      }
      const named = document_name === undefined ? {} : { document_name: documentNameFrom(document_name) };
      // What it becomes by this change itself was not seen.
      const still = duplicate_of === null ? withoutAdded(seen, 'duplicate_of', 'state') : seen;
      return orNotFound(await documents.patch(id, { ...rest, ...named, seen: still }, origin));
    },
    /**
     * Stores a PDF that waits for its password without it, and has it read. The password is not stored. Throws
     * `no_password_needed`, `wrong_file_password`.
     */
    async unlock(id: string, password: string, note?: NoteWrite) {
      const { document, file_id } = orNotFound(await documents.fileOf(id));
      if (document.state_error?.code !== 'password_required') throw notLocked();
      const bytes = await unlockPdf({ bytes: await files.read(file_id), password });
      const open = await files.store(bytes, document.document_name);
      const noted = await note?.({ kind: 'document' });
      const file = { file_id: open, size_bytes: bytes.byteLength };
      if (!(await dependencies.queue.readFrom(id, file_id, file, noted?.callIds))) {
        await files.remove(open);
        throw notLocked();
      }
      await files.settle([open]);
      await files.remove(file_id);
      dependencies.countFile(actor.organizationId, id, bytes.byteLength - document.size_bytes);
      await dependencies.wakeTextReader();
      return await get(id);
    },
    /** A document that a call of an agent has moved to the trash. */
    trashedByCall: (id: string) => dependencies.trashedByCall(actor.organizationId, id),
    /** Moves the document to the trash. A repeated call does not delete again what a user has restored since. */
    async delete(id: string, origin?: WriteOrigin) {
      const outcome = orNotFound((await documents.trash(id, actor.userId, origin)) || undefined);
      if (outcome === 'restored_since') return { restored_since: true as const };
      await stopWork(actor.organizationId, [id]);
      return undefined;
    },
    /** Starts a run of a model on the document. Returns the token of its lease. */
    startModelRun: (id: string, prompt?: ModelRunPrompt) => documents.startModelRun(id, prompt),
    /** Renews the lease of a run. Throws `extraction_interrupted` if it has expired: the run must not write anymore. */
    async renewModelRun(id: string, token: string) {
      if (await documents.renewModelRun(id, token)) return;
      await get(id);
      throw interruptedRun();
    },
    /** Stores the outcome of a run; does nothing if its lease has expired. */
    finishModelRun: (...outcome: Parameters<DocumentRepository['finishModelRun']>) =>
      documents.finishModelRun(...outcome),
    /** The document has a model's result. */
    async noteModelResult(id: string) {
      await documents.setState([id], 'llm_completed');
    },
    /** The documents no longer have a result of a model. */
    async clearModelState(ids: readonly string[]) {
      await documents.setState(ids, 'ocr_completed');
    },
  };
}

function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'document_not_found', 'There is no such document.');
  return value;
}

function notLocked(): DomainError {
  const message = 'The document does not wait for a password. Read its state again.';
  return new DomainError('conflict', 'no_password_needed', message);
}

/** The process of the run stalled for so long that its lease expired. */
function interruptedRun(): DomainError {
  const message = 'The extraction stalled for too long and was interrupted. Run it again.';
  return new DomainError('conflict', 'extraction_interrupted', message);
}

function noSuchPage(document: Document, pageNumber: number): DomainError {
  if (document.duplicate_of !== undefined) {
    return new DomainError('not_found', 'page_not_found', duplicateHasNoText(document.duplicate_of));
  }
  const message = isBeingRead(document)
    ? `The text of page ${pageNumber} has not been read yet. Wait until the document's state is ocr_completed.`
    : `There is no text of page ${pageNumber}; the document has ${document.page_count ?? 0} pages.`;
  return new DomainError('not_found', 'page_not_found', message);
}
