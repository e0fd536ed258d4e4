import type { AskPassage } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import { locateText, type Word } from '@docwright/documents';
import mongoose, { type Connection, type Types } from 'mongoose';
import { indexedTerms } from '../../platform/database/content-search.ts';
import { objectIdOf, objectIdsOf } from '../../platform/database/object-id.ts';
import { fuseRanks, type FindSimilar } from '../collections/index.ts';
import { pageModel } from '../documents/index.ts';
import { partsOf, passagesIn } from './parts-of-pages.ts';
import { maxNamedIds, type ScopeDocuments } from './scope-repository.ts';

/** Chunks with a meaning like that of a query. */
type Similar = Awaited<ReturnType<FindSimilar>>;

/** Passages of the documents of a question, with their places on the pages. */
export interface ScopePassages {
  search(
    query: string,
    limit: number,
    similar: Similar,
  ): Promise<{ passages: AskPassage[]; matched_documents: number }>;
  pages(documentId: string, from: number, to: number): Promise<AskPassage[]>;
}

/** Pages that a search ranks. */
export const maxPagesRanked = 60;
/** Pages that are looked at for those of a scope of many documents. */
const maxPagesSearched = 3_000;
/** Characters of a page that `pages` returns in passages. */
const maxPageLength = 8000;

export function createScopePassages(
  connection: Connection,
): (organizationId: string, names: ScopeDocuments['names']) => ScopePassages {
  const pages = pageModel(connection);

  return (organizationId, names) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
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

/** A passage is the same if its text and its page are. */
const withId = (passage: AskPassage) => ({
  ...passage,
  id: `${passage.document_id} ${passage.page_num} ${passage.text}`,
});
