import { gap, textBlock, type Block } from '../../flow/block.ts';
import { withRaisedDigits } from '../raised-digits.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { isSeen, type Look } from './look.ts';

/** Collects the text of a page as blocks, with white space as a browser shows it. */
export class HtmlFlow {
  blocks: Block[] = [];
  /** The text of the line that is not finished yet. */
  line = '';
  indent = 0;
  hiddenText = 0;

  text(text: string, look: Look): void {
    if (!isSeen(look)) {
      this.hiddenText += visibleCharacters(text);
      return;
    }
    const shown = transformed(text.replaceAll('\u00ad', '').replaceAll('\u200b', ''), look.transform);
    if (look.keepsSpaces) {
      this.line += withRaisedDigits(this.line, shown, look.raised);
      return;
    }
    const collapsed = shown.replace(/[ \t\n\r\f]+/g, ' ');
    const added = /(?:^|\s)$/.test(this.line) ? collapsed.replace(/^ /, '') : collapsed;
    this.line += withRaisedDigits(this.line, added, look.raised);
  }

  /** Ends the current line, and keeps it if it has text. */
  endLine(): void {
    const text = this.line.replace(/[ \t]+\n/g, '\n').trimEnd();
    this.line = '';
    if (text.trim() !== '') this.blocks.push(textBlock(text.replace(/^\n+/, ''), this.indent));
  }

  gap(): void {
    this.endLine();
    if (this.blocks.length > 0) this.blocks.push(gap);
  }

  /** Two spaces, which separate the parts of a line. */
  space(): void {
    if (this.line.trim() !== '' && !this.line.endsWith('\n')) this.line = `${this.line.trimEnd()}  `;
  }

  /** Adds a text with a space on both sides. */
  apart(text: string): void {
    if (text === '') return;
    if (this.line !== '' && !/\s$/.test(this.line)) this.line += ' ';
    this.line += `${text} `;
  }

  indented(read: () => void): void {
    this.indent += 1;
    read();
    this.endLine();
    this.indent -= 1;
  }

  /** The blocks of some content on its own. */
  blocksOf(read: () => void): Block[] {
    const { blocks, line, indent } = this;
    Object.assign(this, { blocks: [], line: '', indent: 0 });
    read();
    this.endLine();
    const found = this.blocks;
    Object.assign(this, { blocks, line, indent });
    return found;
  }
}

function transformed(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase();
  if (transform === 'lowercase') return text.toLowerCase();
  if (transform !== 'capitalize') return text;
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
