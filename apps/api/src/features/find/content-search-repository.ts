import type { FindQuery, FoundPlace } from '@docwright/contract';
import { foldText, searchTerms, wordsOf } from '@docwright/language';
import { leafPathSteps, type LeafPath } from '@docwright/review';
import mongoose, { type Connection, type Types } from 'mongoose';
import { searchOf } from '../../platform/database/content-search.ts';
import { inTurns, type Steps } from '../../platform/long-values/in-turns.ts';
import { documentModel, listedDocuments, nameHas, pageModel } from '../documents/index.ts';
import { extractionModel, parseStored } from '../extractions/index.ts';

/** Finds documents of one organization by their content. */
export type ContentSearch = ReturnType<ReturnType<typeof createContentSearches>>;

/** A record that contains the words, best first. */
interface Hit {
  document_id: Types.ObjectId;
}

/** Hits of documents in the trash, and further hits of the same document, are skipped. */
const readFactor = 4;
const excerptAround = 60;
const maxExcerpt = 160;

export function createContentSearches(connection: Connection) {
  const documents = documentModel(connection);
  const pages = pageModel(connection);
  const extractions = extractionModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);

    async function byName({ q, limit }: FindQuery): Promise<FoundPlace[]> {
      const filter = { organization_id, ...listedDocuments, ...nameHas(q, connection) };
      const records = await documents
        .find(filter, { document_name: 1 })
        .sort({ upload_date: -1, _id: -1 })
        .limit(limit)
        .lean();
      return records.map(({ _id, document_name }) => ({ document_id: String(_id), document_name, kind: 'name' }));
    }

    /** The first hit of each document that lists show. */
    async function present<Found extends Hit>(hits: readonly Found[], limit: number) {
      const _id = { $in: hits.map(({ document_id }) => document_id) };
      const found = await documents.find({ _id, organization_id, ...listedDocuments }, { document_name: 1 }).lean();
      const names = new Map(found.map((record) => [String(record._id), record.document_name]));
      const first = [...Map.groupBy(hits, ({ document_id }) => String(document_id)).values()].map(([hit]) => hit!);
      return first
        .flatMap((hit) => {
          const document_id = String(hit.document_id);
          const document_name = names.get(document_id);
          return document_name === undefined ? [] : [{ hit, about: { document_id, document_name } }];
        })
        .slice(0, limit);
    }

    const selected = (q: string) => {
      const $search = searchOf(organizationId, q);
      return $search && { organization_id, $text: { $search, $language: 'none' } };
    };
    const byScore = { score: { $meta: 'textScore' } } as const;

    async function byValue({ q, limit }: FindQuery): Promise<FoundPlace[]> {
      const filter = selected(q);
      if (!filter) return [];
      const hits = await extractions
        .find(filter, { document_id: 1, prompt_revid: 1, result: 1, ...byScore })
        .sort(byScore)
        .limit(limit * readFactor)
        .lean();
      const terms = searchTerms(q);
      const found: FoundPlace[] = [];
      for (const { hit, about } of await present(hits, limit)) {
        const leaf = await inTurns(bestLeaf(await parseStored(hit.result), terms));
        found.push({
          ...about,
          kind: 'value',
          prompt_revid: String(hit.prompt_revid),
          ...(leaf && { path: leaf.path, excerpt: String(leaf.value).slice(0, maxExcerpt) }),
        });
      }
      return found;
    }

    async function byPage({ q, limit }: FindQuery): Promise<FoundPlace[]> {
      const filter = selected(q);
      if (!filter) return [];
      const hits = await pages
        .find(filter, { document_id: 1, page_num: 1, text: 1, ...byScore })
        .sort(byScore)
        .limit(limit * readFactor)
        .lean();
      const terms = searchTerms(q);
      return (await present(hits, limit)).map(({ hit, about }): FoundPlace => ({
        ...about,
        kind: 'page',
        page_num: hit.page_num,
        ...placeIn(hit.text, terms),
      }));
    }

    return {
      async find(query: FindQuery): Promise<FoundPlace[]> {
        return (await Promise.all([byName(query), byValue(query), byPage(query)])).flat();
      },
    };
  };
}

/** The value that contains most of the words. */
function* bestLeaf(result: unknown, terms: ReadonlySet<string>): Steps<LeafPath | undefined> {
  let best: (LeafPath & { count: number }) | undefined;
  for (const leaf of yield* leafPathSteps(result)) {
    yield;
    const { value } = leaf;
    if (value === null) continue;
    const folded = [...searchTerms(String(value))];
    const count = [...terms].filter((term) => folded.some((word) => word.startsWith(term))).length;
    if (count > (best?.count ?? 0)) best = { ...leaf, count };
    if (count === terms.size) break;
  }
  return best;
}

/** The first of the words in a page's text, with the text around it. */
function placeIn(text: string, terms: ReadonlySet<string>): Pick<FoundPlace, 'start' | 'end' | 'excerpt'> {
  for (const word of wordsOf(text)) {
    if (!terms.has(foldText(word.text))) continue;
    const { start, end } = word;
    const excerpt = text.slice(Math.max(0, start - excerptAround), end + excerptAround).replaceAll(/\s+/gu, ' ');
    return { start, end, excerpt: excerpt.trim().slice(0, maxExcerpt) };
  }
  return {};
}
