import type { SearchAnswer, SearchBody, SearchHit } from '@docwright/contract';
import type { EmbeddingClient } from '@docwright/agent-core';
import { findMatches, type TextLanguage } from '@docwright/language';
import type { Actor } from '../identity/index.ts';
import type { ChunkRepository, FoundChunk } from './chunk-repository.ts';
import type { CollectionEmbeddings } from './collection-model.ts';
import { collectionOrThrow } from './collection-service.ts';

interface SearchDependencies {
  searchOf: (
    organizationId: string,
    id: string,
  ) => Promise<{ embeddings: CollectionEmbeddings | undefined; languages: TextLanguage[] } | undefined>;
  chunks: Pick<ChunkRepository, 'findByWords' | 'findByVector'>;
  /** Undefined where no embeddings model is configured. */
  embeddingsFor: (actor: Actor) => EmbeddingClient | undefined;
  /** The names of those documents that are there, and the organization's. */
  documentNames: (organizationId: string, ids: readonly string[]) => Promise<Map<string, string>>;
  log: { warn(fields: object, message: string): void };
}

export type SearchService = (collectionId: string, search: SearchBody) => Promise<SearchAnswer>;

/** What is found by each way for each hit that is wanted: what is in both lists comes before what is in one. */
const depth = 4;
const leastDepth = 50;
/** Of words alone, in the place of hits whose documents are gone. */
const spare = 10;
/** Beyond it a search ends, however many of the documents found are gone. */
const deepest = 5000;
/** A person waits: without the vector by then, words alone have to do. */
const embedWithinMs = 5_000;

/** Searches in one collection; a hit whose document is gone, or another organization's, is none. */
export function createSearchService(dependencies: SearchDependencies): (actor: Actor) => SearchService {
  const { searchOf, chunks, embeddingsFor, documentNames, log } = dependencies;

  /** Undefined where none can be compared with those of the collection. */
  async function vectorOf(
    actor: Actor,
    { model, dimensions }: CollectionEmbeddings,
    query: string,
  ): Promise<Float32Array | undefined> {
    const client = embeddingsFor(actor);
    if (client?.model !== model) return undefined;
    try {
      const [vector] = (await client.embed([query], AbortSignal.timeout(embedWithinMs))).vectors;
      return vector?.length === dimensions ? vector : undefined;
    } catch (error) {
      log.warn({ err: error }, 'a search had to do without its vector');
      return undefined;
    }
  }

  return (actor) => async (collectionId, search) => {
    const ways = collectionOrThrow(await searchOf(actor.organizationId, collectionId));
    let vector = ways.embeddings && (await vectorOf(actor, ways.embeddings, search.query));
    const first = vector ? Math.max(leastDepth, search.top_k * depth) : search.top_k + spare;
    for (let most = first; ; most = Math.min(most * depth, deepest)) {
      const [byWords, byVector] = await Promise.all([
        chunks.findByWords(collectionId, search.query, ways.languages, most),
        vector ? chunks.findByVector(collectionId, vector, most) : [],
      ]);
      if (!byVector) {
        log.warn(
          { collection_id: collectionId },
          'the database offers no $vectorSearch: a search had to do with words alone',
        );
        vector = undefined;
      }
      const near = byVector ?? [];
      const fused = fuseRanks([byWords, near]);
      const ids = [...new Set(fused.map(({ hit }) => hit.document_id))];
      const names = await documentNames(actor.organizationId, ids);
      const there = fused.filter(({ hit }) => names.has(hit.document_id));
      const isAll = byWords.length < most && near.length < most;
      if (there.length >= search.top_k || isAll || most >= deepest) {
        const results = there
          .slice(0, search.top_k)
          .map((one) => searchHit(one, names.get(one.hit.document_id) ?? '', search.query));
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

/** The constant of the paper on reciprocal rank fusion: the greater, the less the first places count. */
const flatness = 60;

interface Fused<Hit> {
  hit: Hit;
  score: number;
  /** Its place, from 1, in each list; undefined where it is not in it. */
  ranks: (number | undefined)[];
}

/** One list of several, by reciprocal rank: what stands high in one of them, or in more than one, comes first. */
function fuseRanks<Hit extends { id: string }>(lists: readonly (readonly Hit[])[]): Fused<Hit>[] {
  const fused = new Map<string, Fused<Hit>>();
  for (const [which, list] of lists.entries()) {
    for (const [at, hit] of list.entries()) {
      const entry = fused.get(hit.id) ?? { hit, score: 0, ranks: lists.map(() => undefined) };
      entry.score += 1 / (flatness + at + 1);
      entry.ranks[which] = at + 1;
      fused.set(hit.id, entry);
    }
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score);
}
