import type { DrawnBox, Extraction, Grounding } from '@docwright/contract';
import type { groundResult } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { inTurns, recordInSteps } from '../../platform/long-values/in-turns.ts';
import { carryMarks } from './asking/page-views.ts';
import { valueAtPath } from '../value-risk/index.ts';
import { isAtOrBelow, isSameRow, pathsAround } from './rules/field-path.ts';

/** How many pages with their words are in memory at the same time. */
const pagesPerBatch = 50;

/**
 * Grounds a result after edits at `paths`. In a short document all values are grounded again, since the place of an old value can
 * now belong to another one. In a long document only the new values are grounded, some pages at a time.
 *
 * @param given By path, the digits of new numbers that the result had to round.
 */
export async function groundEdit(
  {
    ground,
    documents,
  }: { ground: typeof groundResult; documents: Pick<DocumentService, 'get' | 'pages' | 'pagesBetween'> },
  { document_id, grounding, result: before }: Pick<Extraction, 'document_id' | 'grounding' | 'result'>,
  result: unknown,
  paths: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Promise<Extraction['grounding']> {
  const { page_count } = await documents.get(document_id);
  const edits = new Set(paths);
  const isEdited = (at: string): boolean => pathsAround(at).some((path) => edits.has(path));
  // A client that sends back a row as it got it sends rounded numbers: they are still the same.
  const rawOf = (at: string) =>
    !isEdited(at) || valueAtPath(before, at) === valueAtPath(result, at) ? grounding[at]!.raw : undefined;
  if (page_count === null || page_count <= pagesPerBatch) {
    const raw = await inTurns(recordInSteps(() => Object.keys(grounding), rawOf));
    return await ground(result, await documents.pages(document_id), {}, { ...raw, ...given });
  }
  const placed = await inTurns(
    recordInSteps(
      () => Object.keys(grounding),
      (at) => (isEdited(at) ? undefined : grounding[at]),
    ),
  );
  const raw = await inTurns(recordInSteps(() => Object.keys(grounding), rawOf));
  for (const path of paths) {
    const editedPart = pickPath(result, path.split('.'));
    const edited: Extraction['grounding'] = {};
    for (let from = 1; from <= page_count; from += pagesPerBatch) {
      const found = await ground(
        editedPart,
        await documents.pagesBetween(document_id, from, from + pagesPerBatch - 1),
        {},
        { ...raw, ...given },
      );
      for (const at of Object.keys(found)) {
        if (isAtOrBelow(at, path) && (edited[at] === undefined || edited[at].match === 'none')) edited[at] = found[at]!;
      }
      if (Object.values(edited).every(({ match }) => match !== 'none')) break;
    }
    for (const at of Object.keys(edited)) placed[at] = edited[at]!;
  }
  return placed;
}

/** Grounds a result after several edits, and carries the marks of unchanged values over. */
export async function groundEdits(
  dependencies: Parameters<typeof groundEdit>[0],
  before: Pick<Extraction, 'document_id' | 'grounding' | 'result'>,
  result: unknown,
  paths: readonly string[],
  raw?: Readonly<Record<string, string>>,
): Promise<Extraction['grounding']> {
  const edits = new Set(paths);
  const aroundEdits = new Set(paths.flatMap(pathsAround));
  const isSame = (at: string) =>
    (!aroundEdits.has(at) && !pathsAround(at).some((path) => edits.has(path))) || isSameRow(before.result, result, at);
  return await carryMarks(await groundEdit(dependencies, before, result, paths, raw), before.grounding, isSame);
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
  { ground, documents }: { ground: typeof groundResult; documents: Pick<DocumentService, 'pagesBetween'> },
  { document_id }: Pick<Extraction, 'document_id'>,
  value: unknown,
  { page_num, ...box }: DrawnBox,
  digits?: string,
): Promise<Grounding | undefined> {
  const [page] = await documents.pagesBetween(document_id, page_num, page_num);
  if (page === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const words = page.words.filter(({ x0, y0, x1, y1 }) => {
    const [x, y] = [(x0 + x1) / 2 / page.width, (y0 + y1) / 2 / page.height];
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  });
  const { value: place } = await ground(
    { value },
    [{ ...page, words }],
    {},
    digits === undefined ? {} : { value: digits },
  );
  if (place === undefined || place.match === 'none') return undefined;
  const { places: _places, ...found } = place;
  return { ...found, drawn: true };
}
