import type { Extraction } from '@docwright/contract';
import type { groundResult } from '@docwright/documents';
import type { DocumentService } from '../documents/document-service.ts';

/** Pages whose words are in memory at the same time. */
const pagesAtOnce = 50;

/**
 * The places of an edited result. In a short document all values are looked for anew, since a place that the old value had
 * can be another's now; in a long one the new value alone, a few pages at a time.
 */
export async function groundEdit(
  {
    ground,
    documents,
  }: { ground: typeof groundResult; documents: Pick<DocumentService, 'get' | 'pages' | 'pagesBetween'> },
  { document_id, grounding }: Pick<Extraction, 'document_id' | 'grounding'>,
  result: unknown,
  path: string,
): Promise<Extraction['grounding']> {
  const { page_count } = await documents.get(document_id);
  if (page_count === null || page_count <= pagesAtOnce) return ground(result, await documents.pages(document_id));
  const isOfEdit = (place: string): boolean => place === path || place.startsWith(`${path}.`);
  const kept = Object.fromEntries(Object.entries(grounding).filter(([place]) => !isOfEdit(place)));
  const alone = onlyAt(result, path.split('.'));
  let found: Extraction['grounding'] = {};
  for (let from = 1; from <= page_count; from += pagesAtOnce) {
    const here = ground(alone, await documents.pagesBetween(document_id, from, from + pagesAtOnce - 1));
    for (const [place, each] of Object.entries(here)) {
      if (isOfEdit(place) && (found[place] === undefined || found[place].match === 'none')) found[place] = each;
    }
    if (Object.values(found).every(({ match }) => match !== 'none')) break;
  }
  return { ...kept, ...found };
}

/** A result with nothing but the value at a path. Entries before it in a list are null. */
function onlyAt(result: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || typeof result !== 'object' || result === null) return result;
  if (!Array.isArray(result)) return { [key]: onlyAt((result as Record<string, unknown>)[key], rest) };
  const list: unknown[] = Array.from({ length: Number(key) + 1 }, () => null);
  list[Number(key)] = onlyAt(result[Number(key)], rest);
  return list;
}
