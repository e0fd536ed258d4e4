import type { SearchAnswer, SearchBody, SearchHit } from '@docwright/contract';
import type { EmbeddingClient } from '@docwright/agent-core';
import { findMatches, type TextLanguage } from '@docwright/language';
import type { Actor } from '../identity/index.ts';
import type { FoundChunk } from './chunks/chunk-model.ts';
import type { ChunkRepository } from './chunks/chunk-repository.ts';
import type { CollectionEmbeddings } from './collection-model.ts';
import { collectionOrThrow } from './collection-service.ts';

interface SearchDependencies {
  searchOf: (
    organizationId: string,
    id: string,
  ) => Promise<{ embeddings: CollectionEmbeddings | undefined; languages: TextLanguage[] } | undefined>;
  chunksOf: (organizationId: string) => Pick<ChunkRepository, 'findByWords' | 'findByVector'>;
  /** Undefined if no embeddings model is configured. */
  embeddingsFor: (actor: Actor) => EmbeddingClient | undefined;
  /** The names of the documents that exist in the organization, by id. */
  documentNames: (organizationId: string, ids: readonly string[]) => Promise<Map<string, string>>;
  log: { warn(fields: object, message: string): void };
}

export type SearchService = (collectionId: string, search: SearchBody) => Promise<SearchAnswer>;

/** Candidates per requested hit in each list of a hybrid search: hits in both lists rank above hits in one. */
const candidateFactor = 4;
const minCandidates = 50;
/** Extra candidates of a search by words, to replace hits of deleted documents. */
const spareCandidates = 10;
/** The limit of candidates, even if most of their documents are deleted. */
const maxCandidates = 5000;
/** A user waits: without the vector of the query by then, the search uses words only. */
const embedTimeoutMs = 5_000;

/** Embeds queries for collections. */
function createQueryVectors({ embeddingsFor, log }: Pick<SearchDependencies, 'embeddingsFor' | 'log'>) {
  /** The vector of a query. Undefined if it cannot be compared with those of the collection. */
  return async (
    actor: Actor,
    { model, dimensions }: CollectionEmbeddings,
    query: string,
  ): Promise<Float32Array | undefined> => {
    const client = embeddingsFor(actor);
    if (client?.model !== model) return undefined;
    try {
      const [vector] = (await client.embed([query], AbortSignal.timeout(embedTimeoutMs))).vectors;
      return vector?.length === dimensions ? vector : undefined;
    } catch (error) {
      log.warn({ err: error }, 'a search used words only: its query could not be embedded');
      return undefined;
    }
  };
}

/** Chunks with a meaning like that of the query, best first. Without a collection, those of the newest ones with vectors. */
export type FindSimilar = (query: string, collectionId: string | undefined, limit: number) => Promise<FoundChunk[]>;

/** A question is embedded once, and compared with the vectors of so many collections. */
const maxSimilarCollections = 5;

/** Finds chunks by meaning over the collections of an organization. Its caller leaves out documents that may not be shown. */
export function createFindSimilar(
  dependencies: Pick<SearchDependencies, 'embeddingsFor' | 'log'> & {
    chunksOf: (organizationId: string) => Pick<ChunkRepository, 'findByVector'>;
    /** The newest collections with vectors of one model and length, or the named one. */
    withVectors: (
      organizationId: string,
      named: string | undefined,
      limit: number,
    ) => Promise<{ ids: string[]; embeddings: CollectionEmbeddings } | undefined>;
  },
): (actor: Actor) => FindSimilar {
  const vectorOf = createQueryVectors(dependencies);
  return (actor) => async (query, collectionId, limit) => {
    const found = await dependencies.withVectors(actor.organizationId, collectionId, maxSimilarCollections);
    const vector = found && (await vectorOf(actor, found.embeddings, query));
    if (vector === undefined) return [];
    const chunks = dependencies.chunksOf(actor.organizationId);
    const lists = await Promise.all(found!.ids.map(async (id) => chunks.findByVector(id, vector, limit)));
    return fuseRanks(lists.map((list) => list ?? [])).map(({ hit }) => hit);
  };
}

/** Searches one collection. Leaves out hits whose document is deleted or belongs to another organization. */
export function createSearchService(dependencies: SearchDependencies): (actor: Actor) => SearchService {
  const { searchOf, chunksOf, documentNames, log } = dependencies;
  const vectorOf = createQueryVectors(dependencies);

  return (actor) => async (collectionId, search) => {
    const chunks = chunksOf(actor.organizationId);
    const { embeddings, languages } = collectionOrThrow(await searchOf(actor.organizationId, collectionId));
    let vector = embeddings && (await vectorOf(actor, embeddings, search.query));
    const first = vector ? Math.max(minCandidates, search.top_k * candidateFactor) : search.top_k + spareCandidates;
    for (let limit = first; ; limit = Math.min(limit * candidateFactor, maxCandidates)) {
      const [byWords, byVector] = await Promise.all([
        chunks.findByWords(collectionId, search.query, languages, limit),
        vector ? chunks.findByVector(collectionId, vector, limit) : [],
      ]);
      if (!byVector) {
        log.warn({ collection_id: collectionId }, 'a search used words only: the database has no $vectorSearch');
        vector = undefined;
      }
      const similar = byVector ?? [];
      const fused = fuseRanks([byWords, similar]);
      const ids = [...new Set(fused.map(({ hit }) => hit.document_id))];
      const names = await documentNames(actor.organizationId, ids);
      const present = fused.filter(({ hit }) => names.has(hit.document_id));
      const isComplete = byWords.length < limit && similar.length < limit;
      if (present.length >= search.top_k || isComplete || limit >= maxCandidates) {
        const results = present
          .slice(0, search.top_k)
          .map((found) => searchHit(found, names.get(found.hit.document_id) ?? '', search.query));
        return { mode: vector ? 'hybrid' : 'lexical', results };
      }
    }
  };
}

function searchHit(
  { hit, score, ranks: [lexical, vector] }: Fused<FoundChunk>,
  document_name: string,
  query: string,
): SearchHit {
  const { id: _id, document_id, boxes = [], language, ...place } = hit;
  return {
    document_id,
    document_name,
    ...place,
    boxes,
    matches: findMatches(place.text, query, language),
    score,
    ...(lexical === undefined ? {} : { lexical_rank: lexical }),
    ...(vector === undefined ? {} : { vector_rank: vector }),
  };
}

/** The constant `k` of reciprocal rank fusion, as in its paper: a larger one reduces the weight of top ranks. */
const rankConstant = 60;

/** A hit of one or more ranked lists. */
interface Fused<Hit> {
  hit: Hit;
  score: number;
  /** Its rank from 1 in each list; undefined if the list does not have it. */
  ranks: (number | undefined)[];
}

/** Fuses lists by reciprocal rank: hits with a high rank in one list, or in several lists, come first. */
export function fuseRanks<Hit extends { id: string }>(lists: readonly (readonly Hit[])[]): Fused<Hit>[] {
  const fused = new Map<string, Fused<Hit>>();
  for (const [listIndex, list] of lists.entries()) {
    for (const [at, hit] of list.entries()) {
      const entry = fused.get(hit.id) ?? { hit, score: 0, ranks: lists.map(() => undefined) };
      entry.score += 1 / (rankConstant + at + 1);
      entry.ranks[listIndex] = at + 1;
      fused.set(hit.id, entry);
    }
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score);
}
