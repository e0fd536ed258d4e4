import type { AskPassage, AskPlaces, AskResult, AskScopeSize } from '@docwright/agent-core';
import { DomainError, type AskScope, type Grounding } from '@docwright/contract';
import { locateText, type Word } from '@docwright/documents';
import mongoose, { type Connection, type QueryFilter, type Types } from 'mongoose';
import { indexedTerms } from '../../platform/database/content-search.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { entryModel, fuseRanks, type FindSimilar } from '../collections/index.ts';
import { type DocumentRecord, documentModel, listedDocuments, pageModel, readingStates } from '../documents/index.ts';
import { extractionModel, parseStored } from '../extractions/index.ts';
import type { AskResults } from './ask-results.ts';
import { partsOf, passagesIn } from './parts-of-pages.ts';

/** The documents of a question, and what they hold. */
export interface AskRepository {
  size(): Promise<AskScopeSize>;
  documents: { id: string; name: string }[];
  /** Prompts with results, those with most results first. */
  promptIds(): Promise<string[]>;
  /** The newest result of each document. */
  results(promptId: string): Promise<AskResult[]>;
  /** The places of the values of some documents. */
  places(promptId: string, documentIds: readonly string[]): Promise<ReadonlyMap<string, AskPlaces>>;
  search(query: string, limit: number): Promise<{ passages: AskPassage[]; matched_documents: number }>;
  pages(documentId: string, from: number, to: number): Promise<AskPassage[]>;
}

/** A question over more documents needs a scope. */
const maxDocuments = 100_000;
const maxPrompts = 20;
/** Bounds let an index find the few that have a value, where `$exists` and `$ne` would read all. */
const anyText = { $gte: '' };
const inTrash = { $gte: new Date(0) };
/** Pages that a search ranks, and characters of a page that `pages` returns in passages. */
const maxPagesRanked = 60;
const maxPageLength = 8000;

export function createAskRepositories(
  connection: Connection,
  results: AskResults,
): (organizationId: string, scope: AskScope, findSimilar: FindSimilar) => Promise<AskRepository> {
  const documents = documentModel(connection);
  const extractions = extractionModel(connection);
  const pages = pageModel(connection);
  const entries = entryModel(connection);

  async function idsOf(organization_id: Types.ObjectId, scope: AskScope): Promise<Types.ObjectId[] | undefined> {
    const sets: Types.ObjectId[][] = [];
    if (scope.document_ids) sets.push(objectIdsOf(scope.document_ids));
    if (scope.collection_id !== undefined) {
      const collection_id = new mongoose.Types.ObjectId(scope.collection_id);
      const present = { organization_id, collection_id, state: { $ne: 'leaving' as const } };
      sets.push(await entries.distinct('document_id', present));
    }
    if (scope.prompt_id !== undefined) {
      sets.push(await extractions.distinct('document_id', { organization_id, prompt_id: scope.prompt_id }));
    }
    const [first, ...others] = sets;
    const rest = others.map((ids) => new Set(ids.map((id) => id.toHexString())));
    return first?.filter((id) => rest.every((set) => set.has(id.toHexString())));
  }

  return async (organizationId, scope, findSimilar) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const ids = await idsOf(organization_id, scope);
    const filter: QueryFilter<DocumentRecord> = {
      organization_id,
      ...listedDocuments,
      duplicate_of: null,
    };
    if (ids) filter._id = { $in: ids };
    if (scope.tag_ids) filter.tag_ids = { $in: objectIdsOf(scope.tag_ids) };
    if (scope.from !== undefined || scope.to !== undefined) filter.upload_date = periodOf(scope);
    const trashed = await documents.countDocuments({ ...filter, deleted_at: inTrash });
    const hidden = await documents.countDocuments({ ...filter, never_to_model_in: organization_id });
    const visible = { ...filter, never_to_model_in: null };
    const projection = { document_name: 1, state: 1 };
    // Read by the driver alone: a question can be about 100,000 documents.
    const found = await documents.collection
      .find<Pick<DocumentRecord, '_id' | 'document_name' | 'state'>>(visible as object, {
        projection,
        batchSize: 5_000,
        limit: maxDocuments + 1,
      })
      .toArray();
    if (found.length > maxDocuments) {
      const message = `The question is about more than ${maxDocuments} documents. Narrow it with a scope: tags, a prompt, a collection or dates.`;
      throw new DomainError('invalid', 'scope_too_large', message);
    }
    const names = new Map(found.map(({ _id, document_name }) => [_id.toHexString(), document_name]));
    const inScope = { organization_id, document_id: { $in: found.map(({ _id }) => _id) } };
    const unreadStates = new Set<string>([...readingStates, 'ocr_failed']);
    /** Values that a check doubts, by document. */
    const riskyPaths = async (promptId: string) => {
      const doubted = { organization_id, prompt_id: promptId, 'validation_errors.path': anyText };
      const risky = new Map<string, string[]>();
      const found = await extractions
        .find(doubted, { document_id: 1, validation_errors: 1 })
        .sort({ is_verified: 1, changed_at: 1, _id: 1 })
        .lean();
      for (const { document_id, validation_errors } of found) {
        risky.set(
          document_id.toHexString(),
          validation_errors.map(({ path }) => path),
        );
      }
      return risky;
    };
    let listed: Promise<string[]> | undefined;
    const promptsOf = () => (listed ??= results.promptIds(organizationId));
    /** Prompts with results in the scope. What is pending is indexed now, as far as a request can wait for it. */
    const usedPrompts = async () => {
      const counted = await Promise.all(
        (await promptsOf()).map(async (id) => ({
          id,
          count: [...(await results.get({ organizationId, promptId: id })).keys()].filter((each) => names.has(each))
            .length,
        })),
      );
      const used = counted
        .filter(({ count }) => count > 0)
        .toSorted((one, two) => two.count - one.count || (one.id < two.id ? -1 : 1));
      return used.slice(0, maxPrompts).map(({ id }) => id);
    };
    let used: Promise<string[]> | undefined;
    const promptIds = () => (used ??= usedPrompts());
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
      const hits = await pages
        .find({ ...inScope, $text: { $search } }, { document_id: 1, page_num: 1, text: 1, ...byScore })
        .sort(byScore)
        .limit(maxPagesRanked)
        .lean();
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
        await promptIds();
        const lags = (await promptsOf()).map((promptId) => results.lag({ organizationId, promptId }));
        return {
          documents: found.length + hidden,
          unread: found.filter(({ state }) => unreadStates.has(state)).length,
          hidden,
          trashed,
          unindexed: (await Promise.all(lags)).reduce((sum, lag) => sum + lag, 0),
        };
      },
      documents: [...names].map(([id, name]) => ({ id, name })),
      promptIds,
      async results(promptId) {
        const indexed = await results.get({ organizationId, promptId });
        const atRisk = await riskyPaths(promptId);
        return [...indexed.values()].flatMap((each) => {
          const document_name = names.get(each.document_id);
          if (document_name === undefined) return [];
          return [{ ...each, document_name, at_risk: atRisk.get(each.document_id) ?? [] }];
        });
      },
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
      async search(query, limit) {
        const [byWords, similar] = await Promise.all([
          findByWords(query),
          findSimilar(query, scope.collection_id, maxPagesRanked),
        ]);
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

/** A passage is the same if its text and its page are. */
const withId = (passage: AskPassage) => ({
  ...passage,
  id: `${passage.document_id} ${passage.page_num} ${passage.text}`,
});

function periodOf({ from, to }: AskScope) {
  const day = 86_400_000;
  return {
    ...(from !== undefined && { $gte: new Date(from) }),
    ...(to !== undefined && { $lt: new Date(Date.parse(to) + day) }),
  };
}

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
