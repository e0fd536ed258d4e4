import { searchTerms } from '@docwright/language';

/** About one paragraph. */
const passageLength = 700;
/** A sentence without an end is cut here. */
const maxPieceLength = 4 * passageLength;

/**
 * A page in passages, in order: whole lines and sentences, joined up to the length of a passage. Each is an
 * exact part of the page's text, so that its place can be found.
 */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const piece of piecesOf(text)) {
    if (part !== '' && part.length + piece.length > passageLength) {
      parts.push(part.trim());
      part = '';
    }
    part += piece;
  }
  parts.push(part.trim());
  return parts.filter((each) => each !== '').map((each) => each.toWellFormed());
}

const piecesOf = (text: string): string[] =>
  (text.match(/[^\n.!?]+(?:[.!?]+|\n|$)[^\S\n]*|\n+|[.!?]+/gu) ?? []).flatMap((piece) =>
    piece.length <= maxPieceLength ? [piece] : piece.match(new RegExp(`[^]{1,${maxPieceLength}}`, 'gu'))!,
  );

/** The parts of a page that have words of a query, each with how many of the words it has. */
export function passagesIn(text: string, query: string): { text: string; score: number }[] {
  const wanted = searchTerms(query);
  return partsOf(text).flatMap((part) => {
    const words = searchTerms(part);
    const score = [...wanted].filter((term) => words.has(term)).length;
    return score === 0 ? [] : [{ text: part, score }];
  });
}
