import type { DrawnBox, Extraction, Grounding } from '@docwright/contract';
import type { groundResult } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { keptMarks } from './asking/page-views.ts';
import { isAtOrBelow, isSameRow } from './rules/field-path.ts';

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

/** The same after several edits; what was said of values that are not touched is kept. */
export async function groundEdits(
  dependencies: Parameters<typeof groundEdit>[0],
  { document_id, grounding, result: before }: Pick<Extraction, 'document_id' | 'grounding' | 'result'>,
  result: unknown,
  paths: readonly string[],
): Promise<Extraction['grounding']> {
  const isSame = (at: string) =>
    !paths.some((path) => isAtOrBelow(at, path) || isAtOrBelow(path, at)) || isSameRow(before, result, at);
  let found = grounding;
  for (const path of paths) found = await groundEdit(dependencies, { document_id, grounding: found }, result, path);
  return keptMarks(found, grounding, isSame);
}

/** A result with nothing but the value at a path. Entries before it in a list are null. */
function onlyAt(result: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || typeof result !== 'object' || result === null) return result;
  if (!Array.isArray(result)) return { [key]: onlyAt((result as Record<string, unknown>)[key], rest) };
  const list: unknown[] = Array.from({ length: Number(key) + 1 }, () => null);
  list[Number(key)] = onlyAt(result[Number(key)], rest);
  return list;
}

/** The place of a value within a box that a user drew; undefined where the words there do not hold it. */
export async function placeInBox(
  { ground, documents }: { ground: typeof groundResult; documents: Pick<DocumentService, 'pagesBetween'> },
  { document_id }: Pick<Extraction, 'document_id'>,
  value: unknown,
  { page_num, ...box }: DrawnBox,
): Promise<Grounding | undefined> {
  const [page] = await documents.pagesBetween(document_id, page_num, page_num);
  if (page === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const words = page.words.filter(({ x0, y0, x1, y1 }) => {
    const [x, y] = [(x0 + x1) / 2 / page.width, (y0 + y1) / 2 / page.height];
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  });
  const { value: place } = ground({ value }, [{ ...page, words }]);
  if (place === undefined || place.match === 'none') return undefined;
  const { places: _places, ...found } = place;
  return { ...found, drawn: true };
}
