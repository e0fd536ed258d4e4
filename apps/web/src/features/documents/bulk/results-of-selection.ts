import { formatWhere, maxResultDocuments, type Document } from '@docwright/contract';
import type { ResultSearch } from '../../../shared/addresses/result-search.ts';
import { documentsPath } from '../../../shared/api/documents-api.ts';
import { requestJson } from '../../../shared/http/http.ts';
import type { Selection } from './selection.ts';

const pageLimit = 100;

/** The prompt that has read the most of the documents. */
export function commonPrompt(documents: readonly Pick<Document, 'releases'>[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { releases = [] } of documents) {
    for (const { prompt_id } of releases) counts.set(prompt_id, (counts.get(prompt_id) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/**
 * The page Results with the selected documents. All matches of a name and a tag are a filter there; a state of the list is
 * none, so its documents are named.
 *
 * @throws Error if they are too many to be named.
 */
export async function resultsOfSelection(
  orgId: string,
  { documents, matching }: Selection,
  shown: readonly Document[],
): Promise<ResultSearch> {
  if (matching === undefined) return named([...documents.values()]);
  const { name_search, tag_ids, sort: _sort, order: _order, ...rest } = matching.query;
  const [tag, ...furtherTags] = tag_ids ?? [];
  if (Object.keys(rest).length === 0 && furtherTags.length === 0) {
    const where = name_search && formatWhere([{ path: 'document_name', op: '~', value: name_search }]);
    const prompt = commonPrompt(shown);
    return { ...(prompt && { prompt }), ...(where && { where }), ...(tag && { tag }) };
  }
  if (matching.count > maxResultDocuments) throw new Error(tooMany);
  const found: Document[] = [];
  while (found.length < matching.count) {
    const query = { ...matching.query, skip: found.length, limit: pageLimit };
    const page = await requestJson(documentsPath(orgId), { query });
    if (page.documents.length === 0) break;
    found.push(...page.documents);
  }
  return named(found);
}

const tooMany = `Results can show ${maxResultDocuments} chosen documents. Choose fewer, or filter by a name or a tag instead of a state.`;

function named(documents: readonly Document[]): ResultSearch {
  if (documents.length > maxResultDocuments) throw new Error(tooMany);
  const prompt = commonPrompt(documents);
  return { ...(prompt && { prompt }), documents: documents.map(({ id }) => id) };
}
