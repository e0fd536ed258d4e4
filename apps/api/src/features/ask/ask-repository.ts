import type { AskPassage, AskPlaces, AskResult, AskScopeSize } from '@docwright/agent-core';
import { DomainError, type AskScope, type Grounding } from '@docwright/contract';
import { locateText, type Word } from '@docwright/documents';
import mongoose, { type Connection, type Types } from 'mongoose';
import { indexedTerms } from '../../platform/database/content-search.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { fuseRanks, type FindSimilar } from '../collections/index.ts';
import { pageModel } from '../documents/index.ts';
import { extractionModel, parseStored } from '../extractions/index.ts';
import { tooLargeTogether, type AskResults, type IndexedResult, type PromptCopy } from './ask-results.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createKeptResults } from './kept-results.ts';
import { partsOf, passagesIn } from './parts-of-pages.ts';
import { batchSize, byDocument, createScopeDocuments, eachOf, maxNamedIds } from './scope-repository.ts';

/** Chunks with a meaning like that of a query. */
type Similar = Awaited<ReturnType<FindSimilar>>;

/** The documents of a question, and what they hold. */
export interface AskRepository {
  size(): Promise<AskScopeSize>;
  /** Characters of the results that are in memory for this scope alone: those of a copy count once the process no longer keeps it. */
  characters(): number;
  documents: { id: string; name: string }[];
  /** Prompts with results, those with most results first. */
  promptIds(): Promise<string[]>;
  /** The newest result of each document. */
  results(promptId: string): Promise<AskResult[]>;
  /** The places of the values of some documents. */
  places(promptId: string, documentIds: readonly string[]): Promise<ReadonlyMap<string, AskPlaces>>;
  search(
    query: string,
    limit: number,
    similar: Similar,
  ): Promise<{ passages: AskPassage[]; matched_documents: number }>;
  pages(documentId: string, from: number, to: number): Promise<AskPassage[]>;
}

const maxPrompts = 20;
/** Bounds let an index find the few that have a value, where `$exists` and `$ne` would read all. */
const anyText = { $gte: '' };
/** Pages that a search ranks, and characters of a page that `pages` returns in passages. */
export const maxPagesRanked = 60;
/** Pages that are looked at for those of a scope of many documents. */
const maxPagesSearched = 3_000;
const maxPageLength = 8000;

const noPaths: readonly string[] = [];

export function createAskRepositories(
  connection: Connection,
  results: AskResults,
): (organizationId: string, scope: AskScope) => Promise<AskRepository> {
  const documentsOf = createScopeDocuments(connection);
  const extractions = extractionModel(connection);
  const pages = pageModel(connection);

  return async (organizationId, scope) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const { names, listed, unread, hidden, trashed } = await documentsOf(organizationId, scope);

    /** Values that a check doubts, by document. */
    const riskyPaths = async (promptId: string) => {
      const doubted = { organization_id, prompt_id: promptId, 'validation_errors.path': anyText };
      const risky = new Map<string, string[]>();
      const found = extractions
        .find(doubted, { document_id: 1, validation_errors: 1 })
        .sort({ is_verified: 1, changed_at: 1, _id: 1 })
        .lean()
        .cursor({ batchSize });
      await eachOf(found, ({ document_id, validation_errors }) => {
        const id = document_id.toHexString();
        if (names.has(id)) risky.set(id, [...new Set(validation_errors.map(({ path }) => path))]);
      });
      return risky;
    };
    const promptsOf = createKeptAnswers(async () => results.promptIds(organizationId));
    const isFew = names.size <= maxNamedIds;
    /** Reads the results of a prompt in memory. Those of a few documents alone if they are named, or if all are too large. */
    const fromCopyOr = async <Found>(
      promptId: string,
      few: (key: { organizationId: string; promptId: string }, ids: string[]) => Promise<Found>,
      all: (copy: PromptCopy, key: { organizationId: string; promptId: string }) => Promise<Found>,
    ): Promise<Found> => {
      const key = { organizationId, promptId };
      if (!isFew || scope.document_ids === undefined) {
        const copy = await results.get(key).catch((error: unknown) => {
          if (!isFew || !isTooLarge(error)) throw error;
        });
        if (copy !== undefined) return await all(copy, key);
      }
      return await few(key, [...names.keys()]);
    };
    /** The results of a prompt in the scope, and the characters that reading them would keep. */
    const measureIn = async (promptId: string) =>
      fromCopyOr(
        promptId,
        async (key, ids) => results.measure(key, ids),
        async (copy) => {
          const size = { count: 0, characters: 0 };
          await eachOf(copy.results.values(), ({ document_id, characters }) => {
            if (!names.has(document_id)) return;
            size.count += 1;
            size.characters += characters;
          });
          return size;
        },
      );
    /**
     * Prompts with results in the scope, without those that are too large to be read. What is pending is indexed now, as far
     * as a request can wait for it.
     */
    const usedPrompts = async () => {
      const used: { id: string; count: number; characters: number }[] = [];
      const tooLarge = new Map<string, DomainError>();
      // One after another: the results of each are in memory while they are counted.
      for (const id of await promptsOf()) {
        if (scope.prompt_id !== undefined && id !== scope.prompt_id) continue;
        const size = await measureIn(id).catch((error: unknown) => {
          // Without the only prompt of the scope there is nothing to ask about.
          if (scope.prompt_id !== undefined || !isTooLarge(error)) throw error;
          tooLarge.set(id, error);
        });
        if (size !== undefined && size.count > 0) used.push({ id, ...size });
      }
      used.sort((one, two) => two.count - one.count || (one.id < two.id ? -1 : 1));
      let characters = 0;
      const ids = used.slice(0, maxPrompts).flatMap((each) => {
        if (characters + each.characters <= results.maxCharacters) {
          characters += each.characters;
          return [each.id];
        }
        tooLarge.set(each.id, tooLargeTogether());
        return [];
      });
      return { ids, tooLarge };
    };
    const used = createKeptAnswers(usedPrompts);
    const keptResults = createKeptResults(results);
    const readResults = async (promptId: string): Promise<AskResult[]> => {
      // Read first, a prompt that is left out would take the room of those that are not.
      const leftOut = (await used()).tooLarge.get(promptId);
      if (leftOut) throw leftOut;
      const atRisk = await riskyPaths(promptId);
      const inScope = async (indexed: Iterable<IndexedResult>, count?: (taken: IndexedResult) => void) => {
        const found: AskResult[] = [];
        await eachOf(indexed, (each) => {
          const document_name = names.get(each.document_id);
          if (document_name === undefined) return;
          count?.(each);
          found.push({ ...each, document_name, at_risk: atRisk.get(each.document_id) ?? noPaths });
        });
        return await byDocument(found);
      };
      return await fromCopyOr(
        promptId,
        async (key, ids) => inScope(await results.of(key, ids, keptResults.kept)),
        async (copy, key) =>
          keptResults.countShared(key, copy.changes, async (count) => inScope(copy.results.values(), count)),
      );
    };
    const resultsOf = createKeptAnswers(readResults);
    const nameOf = (id: Types.ObjectId) => names.get(id.toHexString()) ?? '';

    /** Adds the boxes of the lines of each passage. */
    const withBoxes = async (passages: readonly AskPassage[]): Promise<AskPassage[]> => {
      const places = new Map(passages.map((each) => [`${each.document_id} ${each.page_num}`, each]));
      const wanted = [...places.values()].map(({ document_id, page_num }) => ({
        document_id: { $in: objectIdsOf([document_id]) },
        page_num,
      }));
      const read = wanted.length === 0 ? [] : await pages.find({ organization_id, $or: wanted }).lean();
      const located = new Map(
        read.map(({ document_id, page_num, width, height, text, words }) => {
          const boxesOf = locateText({ page_num, width, height, text, words: JSON.parse(words) as Word[] });
          return [`${document_id.toHexString()} ${page_num}`, { text, boxesOf }] as const;
        }),
      );
      return passages.map((passage) => {
        const page = located.get(`${passage.document_id} ${passage.page_num}`);
        const start = page?.text.indexOf(passage.text) ?? -1;
        const boxes = start < 0 ? undefined : page?.boxesOf(start, start + passage.text.length);
        return boxes === undefined || boxes.length === 0 ? passage : { ...passage, boxes };
      });
    };

    /** Passages with words of a query, best first. */
    const findByWords = async (query: string): Promise<AskPassage[]> => {
      const $search = indexedTerms(organizationId, query);
      if ($search === '') return [];
      const byScore = { score: { $meta: 'textScore' } } as const;
      // Few documents are named; of many, what the search finds elsewhere is passed over.
      const few = names.size > maxNamedIds ? {} : { document_id: { $in: objectIdsOf([...names.keys()]) } };
      const cursor = pages
        .find({ organization_id, ...few, $text: { $search } }, { document_id: 1, page_num: 1, text: 1, ...byScore })
        .sort(byScore)
        .limit(maxPagesSearched)
        .lean()
        .cursor({ batchSize: maxPagesRanked });
      const hits: { document_id: Types.ObjectId; page_num: number; text: string }[] = [];
      for await (const hit of cursor) {
        if (names.has(hit.document_id.toHexString())) hits.push(hit);
        if (hits.length === maxPagesRanked) break;
      }
      const ranked = hits.flatMap(({ document_id, page_num, text }) =>
        passagesIn(text, query).map((passage) => ({
          ...passage,
          document_id: document_id.toHexString(),
          document_name: nameOf(document_id),
          page_num,
        })),
      );
      return ranked.toSorted((one, other) => other.score - one.score).map(({ score: _score, ...passage }) => passage);
    };

    return {
      async size() {
        const { tooLarge } = await used();
        const lags = (await promptsOf()).map((promptId) => results.lag({ organizationId, promptId }));
        return {
          documents: names.size + hidden,
          unread,
          hidden,
          trashed,
          too_large: tooLarge.size,
          unindexed: (await Promise.all(lags)).reduce((sum, lag) => sum + lag, 0),
        };
      },
      characters: () => keptResults.ownCharacters(),
      documents: listed,
      promptIds: async () => (await used()).ids,
      results: resultsOf,
      async places(promptId, documentIds) {
        const wanted = { organization_id, prompt_id: promptId, document_id: { $in: objectIdsOf([...documentIds]) } };
        const found = new Map<string, AskPlaces>();
        const cursor = extractions
          .find(wanted, { document_id: 1, grounding: 1 })
          .sort({ is_verified: -1, changed_at: -1, _id: -1 })
          .lean()
          .cursor({ batchSize: 200 });
        for await (const { document_id, grounding } of cursor) {
          const id = document_id.toHexString();
          if (!found.has(id)) found.set(id, placesOf(await parseStored(grounding)));
        }
        return found;
      },
      async search(query, limit, similar) {
        const byWords = await findByWords(query);
        const byMeaning = similar.flatMap(({ document_id, page_num, text }) =>
          page_num === null || !names.has(document_id)
            ? []
            : [{ document_id, document_name: names.get(document_id)!, page_num, text: text.slice(0, maxPageLength) }],
        );
        const ranked = fuseRanks([byWords, byMeaning].map((list) => list.map(withId)));
        const passages = ranked.slice(0, limit).map(({ hit: { id: _id, ...passage } }) => passage);
        // Every text has a similar one, so only those by meaning count that are shown.
        const matched = new Set([...byWords, ...passages].map(({ document_id }) => document_id));
        return { passages: await withBoxes(passages), matched_documents: matched.size };
      },
      async pages(documentId, from, to) {
        const id = objectIdOf(documentId);
        if (id === undefined || !names.has(id.toHexString())) {
          const message = 'The scope has no such document. Take the document_id of a row or passage.';
          throw new DomainError('not_found', 'document_not_found', message);
        }
        const range = { organization_id, document_id: id, page_num: { $gte: from, $lte: to } };
        const read = await pages.find(range, { page_num: 1, text: 1 }).sort({ page_num: 1 }).lean();
        const passages = read.flatMap(({ page_num, text }) =>
          partsOf(text.slice(0, maxPageLength)).map((part) => ({
            document_id: documentId,
            document_name: nameOf(id),
            page_num,
            text: part,
          })),
        );
        return await withBoxes(passages);
      },
    };
  };
}

const isTooLarge = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'scope_too_large';

/** A passage is the same if its text and its page are. */
const withId = (passage: AskPassage) => ({
  ...passage,
  id: `${passage.document_id} ${passage.page_num} ${passage.text}`,
});

/** The places of the values, by path. */
function placesOf(grounding: Record<string, Grounding>): AskPlaces {
  return Object.fromEntries(
    Object.entries(grounding).flatMap(([path, { page_num, boxes, quote }]) =>
      page_num === null || page_num === undefined
        ? []
        : [[path, { page_num, boxes, ...(typeof quote === 'string' && { quote }) }]],
    ),
  );
}
