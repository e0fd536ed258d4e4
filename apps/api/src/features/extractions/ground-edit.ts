import type { DrawnBox, Extraction, Grounding } from '@docwright/contract';
import type { groundResultInTurns } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { carryMarks } from './asking/page-views.ts';
import { isAtOrBelow, isSameRow } from './rules/field-path.ts';

/** How many pages with their words are in memory at the same time. */
const pagesPerBatch = 50;

/**
 * Grounds an edited result. In a short document all values are grounded again, since the place of the old value can now
 * belong to another one. In a long document only the new value is grounded, some pages at a time.
 */
export async function groundEdit(
  {
    ground,
    documents,
  }: { ground: typeof groundResultInTurns; documents: Pick<DocumentService, 'get' | 'pages' | 'pagesBetween'> },
  { document_id, grounding }: Pick<Extraction, 'document_id' | 'grounding'>,
  result: unknown,
  path: string,
): Promise<Extraction['grounding']> {
  const { page_count } = await documents.get(document_id);
  const isEdited = (at: string): boolean => isAtOrBelow(at, path);
  if (page_count === null || page_count <= pagesPerBatch) {
    const raw = Object.entries(grounding).flatMap(([at, place]) =>
      place.raw === undefined || isEdited(at) ? [] : [[at, place.raw] as const],
    );
    return await ground(result, await documents.pages(document_id), {}, Object.fromEntries(raw));
  }
  const unedited = Object.fromEntries(Object.entries(grounding).filter(([at]) => !isEdited(at)));
  const editedPart = pickPath(result, path.split('.'));
  let edited: Extraction['grounding'] = {};
  for (let from = 1; from <= page_count; from += pagesPerBatch) {
    const found = await ground(editedPart, await documents.pagesBetween(document_id, from, from + pagesPerBatch - 1));
    for (const [at, place] of Object.entries(found)) {
      if (isEdited(at) && (edited[at] === undefined || edited[at].match === 'none')) edited[at] = place;
    }
    if (Object.values(edited).every(({ match }) => match !== 'none')) break;
  }
  return { ...unedited, ...edited };
}

/** Grounds a result after several edits, and carries the marks of unchanged values over. */
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
  return carryMarks(found, grounding, isSame);
}

/** A result with only the value at a path. Entries before it in a list are null. */
function pickPath(result: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || typeof result !== 'object' || result === null) return result;
  if (!Array.isArray(result)) return { [key]: pickPath((result as Record<string, unknown>)[key], rest) };
  const list: unknown[] = Array.from({ length: Number(key) + 1 }, () => null);
  list[Number(key)] = pickPath(result[Number(key)], rest);
  return list;
}

/** The place of a value within a box that a user drew. Undefined if the words in the box do not contain it. */
export async function placeInBox(
  { ground, documents }: { ground: typeof groundResultInTurns; documents: Pick<DocumentService, 'pagesBetween'> },
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
  const { value: place } = await ground({ value }, [{ ...page, words }]);
  if (place === undefined || place.match === 'none') return undefined;
  const { places: _places, ...found } = place;
  return { ...found, drawn: true };
}
