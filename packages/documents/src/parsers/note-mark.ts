import { numberText } from './number-text.ts';
import { gap, textBlock, type Block } from '../flow/block.ts';

export type NoteKind = 'footnote' | 'endnote';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The mark of a note in raised signs, so that it does not become a digit of an amount. */
export function markOfNote(kind: NoteKind, position: number): string {
  if (kind === 'endnote') return `[${numberText(position, 'lowerRoman')}]`;
  return String(position).replace(/\d/g, (digit) => superscripts[Number(digit)]!);
}

/** A note as a block, after its mark. */
export function noteBlocks(mark: string, blocks: readonly Block[]): Block[] {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'text') return [textBlock(mark), ...blocks];
  return [{ ...first, text: `${mark} ${first.text.trim()}`.trim() }, ...rest, gap];
}
