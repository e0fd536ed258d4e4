import { DomainError, maxDocumentsInSource, type Document } from '@docwright/contract';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { Actor } from '../identity/index.ts';
import type { ChunkRepository } from './chunks/chunk-repository.ts';
import { type EntryClaim, type ActiveCollection, type IndexingRepository } from './indexing-repository.ts';
import { readingStates } from '../documents/index.ts';
import { processDocument, StageError, type ProcessedDocument, type Processing } from '../pipelines/index.ts';
import type { SourceRepository } from '../sources/index.ts';

interface IndexingDependencies {
  indexing: IndexingRepository;
  chunksOf: (organizationId: string) => ChunkRepository;
  sourcesOf: (organizationId: string) => Pick<SourceRepository, 'documentIds' | 'among'>;
  documentOf: (organizationId: string, id: string) => Promise<Document | undefined>;
  /** The user for whom a collection is indexed, with their current role; a former member has the role `viewer`. */
  actorOf: (collection: ActiveCollection) => Promise<Actor>;
  processingFor: (actor: Actor, documentId: string) => Processing;
  /** Undefined if none is configured. */
  embeddingModel: string | undefined;
  renewMs?: number;
  turnMs?: number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Indexes the collections of all organizations. Any number of processes can do so concurrently. */
export type IndexingService = ReturnType<typeof createIndexingService>;

/** A turn of one collection ends after so many documents or so much time, so that the others are indexed too. */
const documentsPerTurn = 8;
const defaultTurnMs = 10_000;
/** A document that killed its worker this often fails. */
const maxAttempts = 3;
const idsPerBatch = 1000;

export function createIndexingService(dependencies: IndexingDependencies) {
  const { indexing, chunksOf, sourcesOf, documentOf, actorOf, processingFor, embeddingModel, log } = dependencies;
  const { renewMs = 5_000, turnMs = defaultTurnMs } = dependencies;

  async function removeLeaving(collection: ActiveCollection, signal: AbortSignal): Promise<void> {
    const { id, organizationId } = collection;
    const chunks = chunksOf(organizationId);
    for (const documentId of await indexing.listLeaving(collection)) {
      signal.throwIfAborted();
      await chunks.removeDocument(id, documentId);
      await chunks.forget(id, documentId);
      await indexing.removeLeaving(collection, documentId);
    }
  }

  /** Removes the documents that are no longer in the source. */
  async function removeDeparted(collection: ActiveCollection, signal: AbortSignal): Promise<void> {
    // First those that an interrupted worker marked: one that is back in the source needs a new entry.
    await removeLeaving(collection, signal);
    const sources = sourcesOf(collection.organizationId);
    let after: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const ids = await indexing.documentIds(collection, idsPerBatch, after);
      if (ids.length === 0) break;
      const inSource = new Set(await sources.among(collection.source, ids));
      const removedIds = ids.filter((id) => !inSource.has(id));
      if (removedIds.length > 0) await indexing.markLeaving(collection, removedIds);
      after = ids.at(-1);
    }
    await removeLeaving(collection, signal);
  }

  /** Removes the vectors of another model and requeues their documents, which are meanwhile found by their words. */
  async function forgetVectors(collection: ActiveCollection, model: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const ids = await indexing.listOfEarlierRounds(collection, idsPerBatch);
      if (ids.length === 0) break;
      await chunksOf(collection.organizationId).removeVectors(collection.id, ids);
      await indexing.requeue(collection, ids);
    }
    await indexing.forgetEmbeddings(collection.id, model);
    collection.embeddings = undefined;
  }

  /** Queues the documents to be indexed. Idempotent: it can be interrupted, and run in two processes at once. */
  async function decide(collection: ActiveCollection, signal: AbortSignal): Promise<void> {
    const chunks = chunksOf(collection.organizationId);
    await chunks.prepare(collection.id);
    if (collection.round > 0) {
      await removeDeparted(collection, signal);
      const { embeddings } = collection;
      if (embeddings && embeddingModel !== undefined && embeddings.model !== embeddingModel) {
        await forgetVectors(collection, embeddingModel, signal);
      }
      await indexing.requeueFailedAndChanged(collection);
    }
    const sources = sourcesOf(collection.organizationId);
    let after: string | undefined;
    for (let room = maxDocumentsInSource; room > 0;) {
      signal.throwIfAborted();
      const ids = await sources.documentIds(collection.source, Math.min(idsPerBatch, room), after);
      if (ids.length === 0) break;
      await indexing.addEntries(collection, ids);
      after = ids.at(-1);
      room -= ids.length;
    }
    await indexing.setDecided(collection);
    if (!(await indexing.exists(collection.id))) await chunks.drop(collection.id);
  }

  /** Returns whether the vectors can be searched. Throws if they cannot be compared with those of the collection. */
  async function prepareVectors(
    collection: ActiveCollection,
    { vectors, embeddingModel: model }: ProcessedDocument,
  ): Promise<boolean> {
    const dimensions = vectors?.[0]?.length;
    if (dimensions === undefined || model === undefined) return false;
    if (collection.embeddings === undefined) {
      if (!(await chunksOf(collection.organizationId).prepareVectors(collection.id, dimensions))) return false;
      collection.embeddings = await indexing.setEmbeddings(collection.id, { model, dimensions });
    }
    const { embeddings } = collection;
    if (embeddings === undefined || (embeddings.model === model && embeddings.dimensions === dimensions)) return true;
    const message = `Vectors of ${model} (${dimensions} numbers) cannot be compared with those of the collection, which are of ${embeddings.model} (${embeddings.dimensions}). Update the collection, or apply its pipeline again.`;
    throw new StageError('embed', new DomainError('unprocessable', 'other_embeddings', message));
  }

  async function store(collection: ActiveCollection, claim: EntryClaim, processed: ProcessedDocument): Promise<void> {
    const chunks = chunksOf(collection.organizationId);
    const hasVectorSearch = await prepareVectors(collection, processed);
    const languages = new Set(processed.chunks.flatMap(({ language = [] }) => language));
    if (!languages.isSubsetOf(collection.languages)) {
      await indexing.addLanguages(collection.id, [...languages]);
      collection.languages = languages.union(collection.languages);
    }
    if (!(await indexing.renew(claim))) return await cleanUp(collection, claim);
    const vectors = hasVectorSearch ? processed.vectors : undefined;
    const { bytes } = await chunks.replace(collection.id, claim.documentId, processed.chunks, vectors);
    await chunks.count(collection.id, claim.documentId, bytes);
    const finished = await indexing.finish(claim, {
      pages: processed.pages,
      chunks: processed.chunks.length,
      extractionVersion: processed.extractionVersion,
    });
    if (!finished) await cleanUp(collection, claim);
  }

  /**
   * Called when the claim is lost. Removes the chunks if the document or collection no longer exists. Otherwise another
   * worker has the document and writes the same chunks.
   */
  async function cleanUp(collection: ActiveCollection, claim: EntryClaim): Promise<void> {
    const chunks = chunksOf(collection.organizationId);
    if (!(await indexing.exists(collection.id))) await chunks.drop(collection.id);
    else if (!(await indexing.hasEntry(claim))) await chunks.removeDocument(collection.id, claim.documentId);
  }

  async function indexOne(collection: ActiveCollection, claim: EntryClaim, signal: AbortSignal): Promise<void> {
    const { organizationId, id } = collection;
    const document = await documentOf(organizationId, claim.documentId);
    if (document === undefined) return await indexing.forget(claim);
    if (readingStates.includes(document.state)) return await indexing.postpone(claim);
    if (document.state === 'ocr_failed' && document.state_error) {
      const { code: category, message } = document.state_error;
      return void (await indexing.fail(claim, { category, message }));
    }
    const actor = await actorOf(collection);
    try {
      const processing = processingFor(actor, document.id);
      await store(collection, claim, await processDocument(collection.pipeline, document, processing, signal));
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      const { category, message, stage } = error;
      if (category === 'internal_error') {
        log.error(
          { err: error.cause, collection_id: id, document_id: document.id, stage },
          'indexing a document failed',
        );
      }
      // The new holder of a lost claim might have indexed the document.
      if (!(await indexing.renew(claim))) return await cleanUp(collection, claim);
      // A failure of a model does not invalidate the chunks that were indexed before.
      const keepsChunks = stage === 'extract' || stage === 'embed';
      if (!keepsChunks) await chunksOf(organizationId).removeDocument(id, document.id);
      await indexing.fail(claim, { category, message }, keepsChunks);
    }
  }

  async function processClaim(collection: ActiveCollection, claim: EntryClaim, signal: AbortSignal): Promise<void> {
    if (claim.attempt > maxAttempts) {
      const message = 'Indexing this document crashed the server several times. Remove it from the source.';
      return void (await indexing.fail(claim, { category: 'worker_lost', message }));
    }
    const heartbeat = startHeartbeat(() => indexing.renew(claim), renewMs);
    try {
      await indexOne(collection, claim, AbortSignal.any([signal, heartbeat.lost]));
    } catch (error) {
      if (signal.aborted) await indexing.release(claim);
      // The collection or the document was deleted meanwhile: this is no failure.
      else if (!(await indexing.hasEntry(claim))) await cleanUp(collection, claim);
      // Otherwise the claim expires and a worker tries again.
      else if (!heartbeat.lost.aborted) {
        log.error(
          { err: error, collection_id: collection.id, document_id: claim.documentId },
          'indexing was interrupted',
        );
      }
    } finally {
      await heartbeat.stop();
    }
  }

  /** Indexes some documents of a collection. Returns their number. */
  async function runTurn(collection: ActiveCollection, signal: AbortSignal): Promise<number> {
    if (!collection.decided) await decide(collection, signal);
    const until = performance.now() + turnMs;
    for (let done = 0; done < documentsPerTurn; done++) {
      if (done > 0 && performance.now() >= until) return done;
      if (signal.aborted || !(await indexing.isActive(collection.id))) return done;
      const claim = await indexing.claim(collection);
      if (claim === undefined) {
        await indexing.finishIfDone(collection);
        return done;
      }
      await processClaim(collection, claim, signal);
    }
    return documentsPerTurn;
  }

  return {
    /** Indexes until no document waits or `signal` aborts. */
    async work(signal: AbortSignal): Promise<void> {
      for (let hasIndexed = true; hasIndexed;) {
        hasIndexed = false;
        for (const collection of await indexing.listActive()) {
          if (signal.aborted) return;
          try {
            if ((await runTurn(collection, signal)) > 0) hasIndexed = true;
          } catch (error) {
            if (!signal.aborted)
              log.error({ err: error, collection_id: collection.id }, 'a collection could not be indexed');
          }
        }
      }
    },
  };
}
