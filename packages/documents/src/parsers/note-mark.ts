import { gap, textBlock, type Block } from '../flow/block.ts';
import { numberText } from './number-text.ts';
import { raisedNumber } from './raised-digits.ts';

export type NoteKind = 'footnote' | 'endnote';

/** The mark of a note in raised signs, so that it does not become a digit of an amount. */
export function markOfNote(kind: NoteKind, position: number): string {
  if (kind === 'endnote') return `[${numberText(position, 'lowerRoman')}]`;
  return raisedNumber(String(position));
}

/** A note as a block, after its mark. */
export function noteBlocks(mark: string, blocks: readonly Block[]): Block[] {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'text') return [textBlock(mark), ...blocks];
  return [{ ...first, text: `${mark} ${first.text.trim()}`.trim() }, ...rest, gap];
}
