import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { markOfNote, noteBlocks, type NoteKind } from '../note-mark.ts';
import { onceEach } from '../once-each.ts';

/** One text of a document: its body, a header, a footer or a note. */
class RtfStory {
  readonly #blocks: Block[] = [];
  #text = '';
  /** Where the paragraph begins in the text, and the number that is stored before it. */
  #start = 0;
  #number = '';
  #rows: TableCell[][] = [];
  #cells: TableCell[] = [];
  isInTable = false;

  get text(): string {
    return this.#text;
  }

  add(more: string): void {
    this.#text += more;
  }

  /** What follows is a paragraph of its own. */
  beginParagraph(): void {
    this.#start = this.#text.length;
  }

  /** Keeps the number that is stored before the paragraph. */
  addNumber(more: string): void {
    this.#number += more;
  }

  /** Writes a number before the paragraph that ends, or without one the number that is stored. */
  endNumber(number = this.#number): void {
    this.#text = this.#text.slice(0, this.#start) + number + this.#text.slice(this.#start);
    this.#number = '';
  }

  /** Replaces the end of the text, of this length. */
  replaceEnd(length: number, by: string): void {
    this.#text = this.#text.slice(0, this.#text.length - length) + by;
  }

  addBlock(block: Block): void {
    this.#blocks.push(block);
  }

  endCell(): void {
    const text = this.#text.toWellFormed().trim();
    this.#cells.push({ blocks: text === '' ? [] : [textBlock(text)] });
    this.#text = '';
    this.#start = 0;
  }

  endRow(): void {
    this.#rows.push(this.#cells);
    this.#cells = [];
  }

  endParagraph(): void {
    if (this.isInTable) {
      this.#text += '\n';
      this.beginParagraph();
      return;
    }
    // A file can end within a row.
    if (this.#cells.length > 0) this.endRow();
    if (this.#rows.length > 0) this.#blocks.push({ kind: 'table', rows: this.#rows });
    this.#rows = [];
    // Half of a character that two codes make has no meaning.
    const text = this.#text.toWellFormed().trimEnd();
    if (text.trim() !== '') this.#blocks.push(textBlock(text));
    this.#blocks.push(gap);
    this.#text = '';
    this.#start = 0;
  }

  /** Ends the text. */
  finish(): Block[] {
    this.isInTable = false;
    if (this.#text.trim() !== '') this.endNumber();
    this.endParagraph();
    return this.#blocks;
  }
}

interface OpenStory {
  /** Number of groups around the group of the story. */
  depth: number;
  /** The control word that began it. */
  kind: string;
  story: RtfStory;
  outer: RtfStory;
  note?: { kind: NoteKind; mark: string };
}

const margins = /^(?:header|footer)[lrf]?$/;

/** The texts of a document, which a file writes within each other, in the order in which people read them. */
export class RtfStories {
  readonly #body = new RtfStory();
  readonly #open: OpenStory[] = [];
  readonly #margins: { kind: string; blocks: Block[] }[] = [];
  readonly #notes: Block[] = [];
  readonly #counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  /** Whether first pages, and pages on the left, have headers and footers of their own. */
  hasFirst = false;
  hasLeft = false;

  /** The text that is being read. */
  get current(): RtfStory {
    return this.#open.at(-1)?.story ?? this.#body;
  }

  /** Whether the control word begins a text of its own. */
  static begins(word: string): boolean {
    return word === 'footnote' || margins.test(word);
  }

  begin(kind: string, depth: number): void {
    const outer = this.current;
    const opened: OpenStory = { depth, kind, story: new RtfStory(), outer };
    if (kind === 'footnote') {
      const mark = markOfNote('footnote', this.#counts.footnote);
      // A note without a number has a sign of its own in the text.
      const isNumbered = this.#counts.footnote > 0 && outer.text.endsWith(mark);
      opened.note = { kind: 'footnote', mark: isNumbered ? mark : '' };
    }
    this.#open.push(opened);
  }

  /** The note that is being read is at the end of the document. */
  moveToEnd(): void {
    const { note, outer } = this.#open.at(-1) ?? {};
    if (!note || !outer || note.kind === 'endnote') return;
    note.kind = 'endnote';
    if (note.mark === '') return;
    this.#counts.footnote -= 1;
    this.#counts.endnote += 1;
    const mark = markOfNote('endnote', this.#counts.endnote);
    outer.replaceEnd(note.mark.length, mark);
    note.mark = mark;
  }

  /** The number of a note, which stands in the text before the note and once more in it. */
  addNumber(): void {
    if (this.#open.at(-1)?.note) return;
    this.#counts.footnote += 1;
    this.current.add(markOfNote('footnote', this.#counts.footnote));
  }

  /** A group ends that has so many groups around it. */
  endGroup(depth: number): void {
    if (this.#open.at(-1)?.depth !== depth) return;
    const { kind, story, note } = this.#open.pop()!;
    const blocks = story.finish();
    if (note) this.#notes.push(...noteBlocks(note.mark, blocks));
    else this.#margins.push({ kind, blocks });
  }

  /** Ends all texts. Headers come first, then the body, the notes and the footers. */
  finish(): Block[] {
    while (this.#open.length > 0) this.endGroup(this.#open.at(-1)!.depth);
    const marginBlocks = (name: string): Block[] =>
      onceEach(
        this.#margins
          .filter(({ kind }) => kind.startsWith(name) && this.#isShown(kind.slice(name.length)))
          .flatMap(({ blocks }) => blocks),
      );
    const parts = [marginBlocks('header'), this.#body.finish(), this.#notes, marginBlocks('footer')];
    return parts.flatMap((part) => [...part, gap]);
  }

  #isShown(pages: string): boolean {
    return pages === 'f' ? this.hasFirst : pages === 'l' ? this.hasLeft : true;
  }
}
