import { amountConcepts, dateConcepts, identifierConcepts, shareOf } from '@docwright/language';
import { wordsOf } from '../../page/fold.ts';
import type { LayoutCell } from '../../page/layout.ts';
import { isStreet } from '../../values/streets.ts';
import { captionMeaning } from '../labels/known-captions.ts';
import { wordSimilarity } from '../labels/word-similarity.ts';
import type { PageContext } from '../reading/page-context.ts';
import { boxNumber, isFormBox } from './form-box.ts';

const conceptLabels = [...amountConcepts, ...dateConcepts, ...identifierConcepts].map(({ labels }) => labels);
/** A text that is this similar to the name of a field is its caption. */
export const minCaptionSimilarity = 0.85;
/** A label that covers this share of a text leaves no room for a value. */
const minLabelShare = 0.95;

/** `Place: Lyon` is a caption with its own value, whatever its words are. */
const captionWithValue = /^\p{L}[^:]{1,40}:\s+\S/u;

/** A remark for those who fill in or keep a form, such as `For office use only`. */
const remarkOfForm =
  /(?<!\p{L})(?:use only|(?:please|bitte) (?:print|type|complete|tick|ankreuzen)|see (?:reverse|over))(?!\p{L})/iu;

const dateWord = /^(?:date|datum|data|fecha)$/iu;

/** The caption in a cell: the text before its colon, without the number of a box. */
export function captionIn({ text }: Pick<LayoutCell, 'text'>): string {
  const colon = text.search(/:(?:\s|$)/u);
  return (colon === -1 ? text : text.slice(0, colon)).replace(boxNumber, '').trim();
}

/**
 * Whether a cell is a caption or starts with one, and so is never a value: it ends with a colon, is numbered like a box
 * of a form, is a known caption or label, or has the name of a field of the schema.
 */
export function isCaption(
  cell: Pick<LayoutCell, 'text' | 'folded'>,
  { fieldNames }: Pick<PageContext, 'fieldNames'>,
): boolean {
  const { text } = cell;
  if (
    text.endsWith(':') ||
    captionWithValue.test(text) ||
    remarkOfForm.test(text) ||
    (isFormBox(cell) && !isStreet(text))
  )
    return true;
  const caption = captionIn(cell);
  if (caption === '' || caption.length > 60) return false;
  if (captionMeaning(caption) !== undefined || dateWord.test(caption)) return true;
  if (fieldNames.some((name) => wordSimilarity(caption, name) >= minCaptionSimilarity && wordsOf(caption) !== ''))
    return true;
  return (
    caption === text && !/\d/u.test(text) && conceptLabels.some((labels) => shareOf(cell, labels) >= minLabelShare)
  );
}
