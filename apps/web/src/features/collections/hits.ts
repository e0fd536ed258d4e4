import type { Collection, SearchHit } from '@docwright/contract';
import type { DocumentAddress, PassageAddress } from '../../shared/addresses/document-address.ts';
import type { CollectionPageSearch } from '../../shared/addresses/collection-search.ts';

/** The hits of one document, best first. */
interface DocumentHits {
  document_id: string;
  document_name: string;
  hits: SearchHit[];
}

/** Groups hits by document, in the order of their best hits. */
export function hitsByDocument(hits: readonly SearchHit[]): DocumentHits[] {
  return [...Map.groupBy(hits, ({ document_id }) => document_id)].map(([document_id, group]) => ({
    document_id,
    document_name: group[0]!.document_name,
    hits: group,
  }));
}

/** The hits in the order of the results page, which stepping from hit to hit follows. */
export function inDisplayOrder(hits: readonly SearchHit[], { by }: CollectionPageSearch): SearchHit[] {
  return by === 'document' ? hitsByDocument(hits).flatMap((group) => group.hits) : [...hits];
}

type Place = Pick<SearchHit, 'document_id' | 'page_num' | 'start' | 'end'>;

/** Identifies a hit across answers. */
export const hitKey = ({ document_id, page_num, start, end }: Place): string =>
  `${document_id} ${page_num ?? 0} ${start} ${end}`;

/** Index of the hit that a document's URL leads to; -1 if it leads to no hit. */
export function hitAt(hits: readonly Place[], document_id: string, { page, start, end }: PassageAddress): number {
  if (start === undefined || end === undefined) return -1;
  const key = hitKey({ document_id, page_num: page ?? null, start, end });
  return hits.findIndex((hit) => hitKey(hit) === key);
}

/** The URL of a hit: its place in the document, and its search. Extracted values open the extraction tab. */
export function addressOfHit(
  { page_num, start, end }: SearchHit,
  { id, pipeline }: Pick<Collection, 'id' | 'pipeline'>,
  search: CollectionPageSearch,
): DocumentAddress {
  const { extract } = pipeline;
  const values = extract ? { tab: 'extraction' as const, prompt: extract.prompt_revid } : {};
  return { ...(page_num === null ? values : { page: page_num }), start, end, collection: id, ...search };
}
