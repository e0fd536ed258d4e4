import type { Concept } from '@docwright/language';
import { wordsOf } from '../../page/fold.ts';
import type { LayoutCell, Line } from '../../page/layout.ts';
import type { FoundBy } from '../candidates/candidate.ts';
import { captionMeaning } from '../labels/known-captions.ts';
import { containsAllWords, isGenericCaption, wordSimilarity } from '../labels/word-similarity.ts';
import type { PageContext } from '../reading/page-context.ts';
import type { Field } from '../schema/field.ts';
import { captionIn, minCaptionSimilarity } from './caption.ts';

/** A label on a page, whose value is after it, or to its right, below or above it. */
export interface FoundLabel {
  line: Line;
  cell: LayoutCell;
  /** Column in the cell where the label ends. */
  end: number;
  source: FoundBy;
  /** How well the label fits, from 0 to 1. */
  fit: number;
}

/** The fit of a label alone. Its position in the cell changes it. */
const labelFit = 0.75;
const weakLabelFit = 0.375;

/** The labels of a concept, in page order. */
export function conceptLabels(concept: Concept, context: PageContext): FoundLabel[] {
  return cellsOf(context).flatMap(({ line, cell }) => {
    const hits: FoundLabel[] = [];
    const collect = (pattern: RegExp, source: FoundBy, base: number) => {
      for (const match of cell.folded.matchAll(pattern)) {
        const end = match.index + match[0].length;
        if (hits.some((hit) => hit.end >= end)) continue;
        const around = cell.folded.slice(Math.max(0, match.index - 24), end + 16);
        if (concept.not?.test(around)) continue;
        hits.push({ line, cell, end, source, fit: base + positionFit(cell, match.index, end) });
      }
    };
    collect(concept.labels, 'label', labelFit);
    if (concept.weakLabels) collect(concept.weakLabels, 'weak_label', weakLabelFit);
    return hits;
  });
}

/** A label starts its cell, or ends it or has a colon after it. The same words in running text are often not a label. */
function positionFit(cell: LayoutCell, start: number, end: number): number {
  const before = cell.folded.slice(0, start).replaceAll(/[^\p{L}]/gu, '');
  const after = cell.folded.slice(end).trimStart();
  const isEnd = after.startsWith(':') || after === '';
  return (before === '' ? 0.15 : -0.1 - Math.min(0.2, before.length / 120)) + (isEnd ? 0.1 : 0);
}

/** A caption that fits worse is not considered, unless its meaning is that of the field. */
const defaultMinFit = 0.55;
/** The fit of a caption that contains the field's name, such as `Wages, tips, other compensation` for `wages`. */
const containedNameFit = 0.75;

/** The captions whose meaning is that of a field, or that resemble its name or description, in page order. */
export function fieldCaptions(field: Field, context: PageContext, minFit = defaultMinFit): FoundLabel[] {
  return cellsOf(context).flatMap(({ line, cell }): FoundLabel[] => {
    const { fit, isKnown } = captionFit(cell, field, context);
    if (fit < minFit && !isKnown) return [];
    const colon = cell.text.search(/:(?:\s|$)/u);
    const end = colon === -1 ? cell.text.length : colon;
    return [{ line, cell, end, source: isKnown ? 'caption' : 'similar', fit }];
  });
}

/** The places of a pattern that names a kind of code, in page order. */
export function patternLabels(pattern: RegExp, context: PageContext): FoundLabel[] {
  return cellsOf(context).flatMap(({ line, cell }) =>
    Array.from(cell.text.matchAll(pattern), (match) => ({
      line,
      cell,
      end: match.index + match[0].length,
      source: 'form' as const,
      fit: 1,
    })),
  );
}

function cellsOf({ lines }: PageContext): { line: Line; cell: LayoutCell }[] {
  return lines.flatMap((line) => line.cells.map((cell) => ({ line, cell })));
}

/** How well a caption fits a field, from 0 to 1, and whether its meaning is that of the field. */
function captionFit(cell: LayoutCell, field: Field, { fieldNames }: PageContext): { fit: number; isKnown: boolean } {
  const misfit = { fit: 0, isKnown: false };
  const caption = captionIn(cell);
  if (caption.length > 80) return misfit;
  const meaning = captionMeaning(caption);
  if (meaning !== undefined && field.meaning !== undefined) {
    // Several captions can have the same meaning, such as home and mailing address: similar words decide.
    return meaning === field.meaning
      ? { fit: 0.5 + 0.5 * wordSimilarity(caption, field.words), isKnown: true }
      : misfit;
  }

  const containsName = wordsOf(caption).startsWith(`${field.ownWords} `) || containsAllWords(caption, field.ownWords);
  const nameFit = Math.max(
    wordSimilarity(caption, field.words),
    wordSimilarity(caption, field.ownWords) * 0.95,
    containsName ? containedNameFit : 0,
  );
  const descriptionFit =
    field.description === '' || field.description.length > 80 ? 0 : 0.95 * wordSimilarity(caption, field.description);
  const fit = Math.max(nameFit, descriptionFit);
  if (fit >= minCaptionSimilarity) return { fit, isKnown: false };
  // `Phone` is the caption of `phone` and not of `work_phone`, when the schema has both.
  const isOwnName = (name: string): boolean => [field.words, field.ownWords, field.description].includes(name);
  const isCaptionOf = (name: string): boolean => wordSimilarity(caption, name) >= minCaptionSimilarity;
  if (fit >= defaultMinFit && fieldNames.some((name) => !isOwnName(name) && isCaptionOf(name))) return misfit;
  // `Amount` alone does not ask for an insured amount.
  return isGenericCaption(caption) ? misfit : { fit, isKnown: false };
}
