import type { Cell } from '../../page/layout.ts';
import { wordsOf } from '../../page/fold.ts';
import { amountConcepts } from '../sums/concepts-amounts.ts';
import { dateConcepts } from '../concepts-dates.ts';
import { identifierConcepts } from '../concepts-identifiers.ts';
import { boxNumber, isFormBox } from './form-box.ts';
import { captionMeaning } from './known-captions.ts';
import { shareOf } from '../label.ts';
import { isStreet } from '../parties/streets.ts';
import type { PageContext } from '../page-context.ts';
import { wordSimilarity } from './word-similarity.ts';

const paperLabels = [...amountConcepts, ...dateConcepts, ...identifierConcepts].map(({ labels }) => labels);
/** A text is the caption of a field of the schema from here on. */
export const sameWords = 0.85;
/** A label that fills so much of a text leaves no room for a value. */
const wholeText = 0.95;

/** `Place: Lyon` is a caption with its own value, whatever it is called. */
const statement = /^\p{L}[^:]{1,40}:\s+\S/u;

const day = /^(?:date|datum|data|fecha)$/iu;

/** The caption in a cell: what stands before its colon, without the number of a box. */
export function captionIn({ text }: Pick<Cell, 'text'>): string {
  const colon = text.search(/:(?:\s|$)/u);
  return (colon === -1 ? text : text.slice(0, colon)).replace(boxNumber, '').trim();
}

/**
 * Whether a cell is a caption, or begins with one: it ends in a colon, is numbered like a box of a form, says what papers
 * and forms ask for, or what another field of the schema is called. A caption is never a value.
 */
export function isCaption(cell: Pick<Cell, 'text' | 'folded'>, { asked }: Pick<PageContext, 'asked'>): boolean {
  const { text } = cell;
  if (text.endsWith(':') || statement.test(text) || (isFormBox(cell as Cell) && !isStreet(text))) return true;
  const caption = captionIn(cell);
  if (caption === '' || caption.length > 60) return false;
  if (captionMeaning(caption) !== undefined || day.test(caption)) return true;
  if (asked.some((words) => wordSimilarity(caption, words) >= sameWords && wordsOf(caption) !== '')) return true;
  return caption === text && !/\d/u.test(text) && paperLabels.some((labels) => shareOf(cell, labels) >= wholeText);
}
