import { DomainError, maxDocumentsInSource, type Document } from '@docwright/contract';
import { startHeartbeat } from '../../platform/leases/heartbeat.ts';
import type { Actor } from '../identity/index.ts';
import type { ChunkRepository } from './chunk-repository.ts';
import { type EntryClaim, type ActiveCollection, type IndexingRepository } from './indexing-repository.ts';
import { readingStates } from '../documents/index.ts';
import { processDocument, StageError, type ProcessedDocument, type Processing } from '../pipelines/index.ts';
import type { SourceRepository } from '../sources/index.ts';

interface IndexingDependencies {
  indexing: IndexingRepository;
  chunks: ChunkRepository;
  sourcesOf: (organizationId: string) => Pick<SourceRepository, 'documentIds' | 'among'>;
  documentOf: (organizationId: string, id: string) => Promise<Document | undefined>;
  /** The person that a collection is indexed for, with the role they have now; a viewer who has gone. */
  actorOf: (collection: ActiveCollection) => Promise<Actor>;
  processingFor: (actor: Actor, documentId: string) => Processing;
  /** Undefined where none is configured. */
  embeddingModel: string | undefined;
  renewMs?: number;
  turnMs?: number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Indexes the collections of all organizations. Any number of processes may do so at once. */
export interface IndexingService {
  /** Works until nothing is left to do or `signal` aborts. */
  work(signal: AbortSignal): Promise<void>;
}

/** Documents of one collection before the next one's turn, which comes sooner where each takes long. */
const documentsInTurn = 8;
const usualTurnMs = 10_000;
/** A document that took its worker down this often is given up. */
const maxAttempts = 3;
const idsAtOnce = 1000;

export function createIndexingService(dependencies: IndexingDependencies): IndexingService {
  const { indexing, chunks, sourcesOf, documentOf, actorOf, processingFor, embeddingModel, log } = dependencies;
  const { renewMs = 5_000, turnMs = usualTurnMs } = dependencies;
  let hasSwept = false;

  /** Whoever was killed between the removal of a collection and of its chunks has left these. */
  async function sweep(): Promise<void> {
    if (hasSwept) return;
    hasSwept = true;
    for (const id of await chunks.collectionIds()) if (!(await indexing.exists(id))) await chunks.drop(id);
  }

  async function removeDeparted({ id }: ActiveCollection, signal: AbortSignal): Promise<void> {
    for (const documentId of await indexing.leaving(id)) {
      signal.throwIfAborted();
      await chunks.removeDocument(id, documentId);
      await indexing.removeDeparted(id, documentId);
    }
  }

  async function letGo(collection: ActiveCollection, signal: AbortSignal): Promise<void> {
    // First those of a worker that did not get to the end: a document that is back in the source begins anew.
    await removeDeparted(collection, signal);
    const sources = sourcesOf(collection.organizationId);
    let after: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const ids = await indexing.documentIds(collection.id, idsAtOnce, after);
      if (ids.length === 0) break;
      const held = new Set(await sources.among(collection.source, ids));
      const gone = ids.filter((id) => !held.has(id));
      if (gone.length > 0) await indexing.leave(collection.id, gone);
      after = ids.at(-1);
    }
    await removeDeparted(collection, signal);
  }

  /** Has all of it indexed again: its vectors are of another model. By its words it is found meanwhile. */
  async function forgetVectors(collection: ActiveCollection, model: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const ids = await indexing.ofEarlierRounds(collection, idsAtOnce);
      if (ids.length === 0) break;
      await chunks.removeVectors(collection.id, ids);
      await indexing.indexAgain(collection, ids);
    }
    await indexing.forgetEmbeddings(collection.id, model);
    collection.embeddings = undefined;
  }

  /** Which documents are to be indexed. Whoever is killed meanwhile, or does it beside another, comes to the same. */
  async function decide(collection: ActiveCollection, signal: AbortSignal): Promise<void> {
    await chunks.prepare(collection.id);
    if (collection.round > 0) {
      await letGo(collection, signal);
      const { embeddings } = collection;
      if (embeddings && embeddingModel !== undefined && embeddings.model !== embeddingModel) {
        await forgetVectors(collection, embeddingModel, signal);
      }
      await indexing.tryAgain(collection);
    }
    const sources = sourcesOf(collection.organizationId);
    let after: string | undefined;
    for (let room = maxDocumentsInSource; room > 0;) {
      signal.throwIfAborted();
      const ids = await sources.documentIds(collection.source, Math.min(idsAtOnce, room), after);
      if (ids.length === 0) break;
      await indexing.addEntries(collection, ids);
      after = ids.at(-1);
      room -= ids.length;
    }
    await indexing.setDecided(collection);
    if (!(await indexing.exists(collection.id))) await chunks.drop(collection.id);
  }

  /** Throws where the collection has vectors that these cannot be compared with. */
  async function haveVectorsSearched(
    collection: ActiveCollection,
    { vectors, embeddingModel: model }: ProcessedDocument,
  ): Promise<boolean> {
    const dimensions = vectors?.[0]?.length;
    if (dimensions === undefined || model === undefined) return false;
    if (collection.embeddings === undefined) {
      if (!(await chunks.prepareVectors(collection.id, dimensions))) return false;
      collection.embeddings = await indexing.setEmbeddings(collection.id, { model, dimensions });
    }
    const { embeddings } = collection;
    if (embeddings === undefined || (embeddings.model === model && embeddings.dimensions === dimensions)) return true;
    const message = `Vectors of ${model} (${dimensions} numbers) cannot be compared with those that the collection has, of ${embeddings.model} (${embeddings.dimensions}). Update the collection, or apply its pipeline again.`;
    throw new StageError('embed', new DomainError('unprocessable', 'other_embeddings', message));
  }

  async function store(collection: ActiveCollection, claim: EntryClaim, made: ProcessedDocument): Promise<void> {
    const isSearched = await haveVectorsSearched(collection, made);
    const languages = new Set(made.chunks.flatMap(({ language = [] }) => language));
    if (!languages.isSubsetOf(collection.languages)) {
      await indexing.addLanguages(collection.id, [...languages]);
      collection.languages = languages.union(collection.languages);
    }
    if (!(await indexing.renew(claim))) return await clearUp(collection, claim);
    const vectors = isSearched ? made.vectors : undefined;
    await chunks.replace(collection.id, claim.documentId, made.chunks, vectors);
    const finished = await indexing.finish(claim, {
      pages: made.pages,
      chunks: made.chunks.length,
      extractionVersion: made.extractionVersion,
    });
    if (!finished) await clearUp(collection, claim);
  }

  /** The claim was lost: to another worker, who writes the same chunks, or because document or collection are gone. */
  async function clearUp(collection: ActiveCollection, claim: EntryClaim): Promise<void> {
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
      // Whoever has it by now may have indexed it.
      if (!(await indexing.renew(claim))) return await clearUp(collection, claim);
      // What a model could not do now says nothing against what was indexed before.
      const isKept = stage === 'extract' || stage === 'embed';
      if (!isKept) await chunks.removeDocument(id, document.id);
      await indexing.fail(claim, { category, message }, isKept);
    }
  }

  async function held(collection: ActiveCollection, claim: EntryClaim, signal: AbortSignal): Promise<void> {
    if (claim.attempt > maxAttempts) {
      const message = 'Indexing this document stopped the server several times. Leave it out of the source.';
      return void (await indexing.fail(claim, { category: 'worker_lost', message }));
    }
    const heartbeat = startHeartbeat(() => indexing.renew(claim), renewMs);
    try {
      await indexOne(collection, claim, AbortSignal.any([signal, heartbeat.lost]));
    } catch (error) {
      if (signal.aborted) await indexing.release(claim);
      // Collection or document were deleted meanwhile: nothing has gone wrong.
      else if (!(await indexing.hasEntry(claim))) await clearUp(collection, claim);
      // Else the claim expires and a worker tries again.
      else if (!heartbeat.lost.aborted) {
        log.error({ err: error, collection_id: collection.id, document_id: claim.documentId }, 'indexing broke off');
      }
    } finally {
      await heartbeat.stop();
    }
  }

  /** Some documents of a collection; how many. */
  async function turn(collection: ActiveCollection, signal: AbortSignal): Promise<number> {
    if (!collection.decided) await decide(collection, signal);
    const until = performance.now() + turnMs;
    for (let done = 0; done < documentsInTurn; done++) {
      if (done > 0 && performance.now() >= until) return done;
      if (signal.aborted || !(await indexing.isActive(collection.id))) return done;
      const claim = await indexing.claim(collection.id);
      if (claim === undefined) {
        await indexing.finishIfDone(collection);
        return done;
      }
      await held(collection, claim, signal);
    }
    return documentsInTurn;
  }

  return {
    async work(signal) {
      await sweep();
      for (let worked = true; worked;) {
        worked = false;
        for (const collection of await indexing.listActive()) {
          if (signal.aborted) return;
          try {
            if ((await turn(collection, signal)) > 0) worked = true;
          } catch (error) {
            if (!signal.aborted)
              log.error({ err: error, collection_id: collection.id }, 'a collection could not be indexed');
          }
        }
      }
    },
  };
}
