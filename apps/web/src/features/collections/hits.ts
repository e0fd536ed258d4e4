import type { Collection, SearchHit } from '@docwright/contract';
import type { DocumentAddress, PassageAddress } from '../../shared/addresses/document-address.ts';
import type { CollectionSearch } from '../../shared/addresses/collection-search.ts';

/** The hits of one document, the best first. */
interface DocumentHits {
  document_id: string;
  document_name: string;
  hits: SearchHit[];
}

/** Documents in the order of their best hits. */
export function hitsByDocument(hits: readonly SearchHit[]): DocumentHits[] {
  return [...Map.groupBy(hits, ({ document_id }) => document_id)].map(([document_id, own]) => ({
    document_id,
    document_name: own[0]!.document_name,
    hits: own,
  }));
}

/** The hits as the page lists them: whoever steps from one to the next goes down that list. */
export function inShownOrder(hits: readonly SearchHit[], { by }: CollectionSearch): SearchHit[] {
  return by === 'document' ? hitsByDocument(hits).flatMap(({ hits: own }) => own) : [...hits];
}

type Place = Pick<SearchHit, 'document_id' | 'page_num' | 'start' | 'end'>;

/** The same for a hit in any answer that has it. */
export const hitKey = ({ document_id, page_num, start, end }: Place): string =>
  `${document_id} ${page_num ?? 0} ${start} ${end}`;

/** Which of the hits an address of a document leads to; -1 where none of them stands there. */
export function hitAt(hits: readonly Place[], document_id: string, { page, start, end }: PassageAddress): number {
  if (start === undefined || end === undefined) return -1;
  const wanted = hitKey({ document_id, page_num: page ?? null, start, end });
  return hits.findIndex((hit) => hitKey(hit) === wanted);
}

/** The address of a hit: its place in the document, and the search that it is a hit of. Values stand beside the page, by their prompt. */
export function addressOfHit(
  { page_num, start, end }: SearchHit,
  { id, pipeline }: Pick<Collection, 'id' | 'pipeline'>,
  search: CollectionSearch,
): DocumentAddress {
  const { extract } = pipeline;
  const values = extract ? { tab: 'extraction' as const, prompt: extract.prompt_revid } : {};
  return { ...(page_num === null ? values : { page: page_num }), start, end, collection: id, ...search };
}
