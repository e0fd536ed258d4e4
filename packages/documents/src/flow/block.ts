/** A part of a text that flows: what a reader of a file without fixed lines returns, in reading order. */
export type Block = TextBlock | TableBlock | PictureBlock | { kind: 'page_break' } | { kind: 'gap' };

interface TextBlock {
  kind: 'text';
  /** Can contain line ends and tabs. */
  text: string;
  /** Depth of a list or quote. */
  indent?: number;
}

export interface TableBlock {
  kind: 'table';
  rows: TableCell[][];
}

export interface TableCell {
  blocks: Block[];
  /** Number of columns; default 1. */
  columns?: number;
  /** Number of rows; default 1. */
  rows?: number;
}

/** A picture to be recognised, at its place. */
export interface PictureBlock {
  kind: 'picture';
  bytes: Uint8Array;
  name: string;
}

export const gap: Block = { kind: 'gap' };

export function textBlock(text: string, indent = 0): Block {
  return indent > 0 ? { kind: 'text', text, indent } : { kind: 'text', text };
}
