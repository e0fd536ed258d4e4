import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';

/** One text of a document: its body, a header, a footer or a note. */
export class RtfStory {
  readonly #blocks: Block[] = [];
  #text = '';
  #rows: TableCell[][] = [];
  #cells: TableCell[] = [];
  isInTable = false;

  get text(): string {
    return this.#text;
  }

  add(more: string): void {
    this.#text += more;
  }

  /** Replaces the end of the text, of this length. */
  replaceEnd(length: number, by: string): void {
    this.#text = this.#text.slice(0, this.#text.length - length) + by;
  }

  addBlock(block: Block): void {
    this.#blocks.push(block);
  }

  endCell(): void {
    const text = this.#text.trim();
    this.#cells.push({ blocks: text === '' ? [] : [textBlock(text)] });
    this.#text = '';
  }

  endRow(): void {
    this.#rows.push(this.#cells);
    this.#cells = [];
  }

  endParagraph(): void {
    if (this.isInTable) {
      this.#text += '\n';
      return;
    }
    // A file can end within a row.
    if (this.#cells.length > 0) this.endRow();
    if (this.#rows.length > 0) this.#blocks.push({ kind: 'table', rows: this.#rows });
    this.#rows = [];
    if (this.#text.trim() !== '') this.#blocks.push(textBlock(this.#text.trimEnd()));
    this.#blocks.push(gap);
    this.#text = '';
  }

  /** Ends the text. */
  finish(): Block[] {
    this.isInTable = false;
    this.endParagraph();
    return this.#blocks;
  }
}
