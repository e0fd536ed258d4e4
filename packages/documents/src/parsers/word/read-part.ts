import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { unknownBackground, white, type Background } from '../alike-colors.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { textIn } from '../vml.ts';
import { equationText } from '../equation.ts';
import { markOfNote, type NoteKind } from '../note-mark.ts';
import { withRaisedDigits } from '../raised-digits.ts';
import { checkBox } from './form-values.ts';
import { valueOf } from './numbering.ts';
import { OpenFields } from './open-fields.ts';
import { chosenContent, readDrawing } from './read-drawing.ts';
import { isBelowRow, isTableBesidePage, isTooLow, isUnseen, placeOfParagraph } from './paragraph-place.ts';
import { isHiddenLook, lookOf, shadingOf, type RunLook } from './styles.ts';
import { textInFont, symbolText } from '../../flow/symbol-text.ts';
import type { WordFile } from './word-file.ts';

/** What lies around a paragraph. */
interface Surroundings {
  depth: number;
  behind: Background;
}

/** Elements with content of the same kind as their surroundings. */
const wrappers = new Set(
  'w:ins w:moveTo w:hyperlink w:smartTag w:fldSimple w:customXml w:dir w:bdo w:sdtContent'.split(' '),
);
const maxDepth = 150;

/** Reads the paragraphs and tables of one part of a Word file, such as its body or a header. */
export class PartReader {
  readonly #file: WordFile;
  readonly #relations;
  readonly #fields = new OpenFields();
  /** The paragraph that is being read: finished blocks, then open text. */
  #blocks: Block[] = [];
  #text = '';
  /** Text of a paragraph whose end was deleted, so that the next one continues it. */
  #carried = '';

  constructor(file: WordFile, path: string) {
    this.#file = file;
    this.#relations = file.archive.relations(path);
  }

  /** The blocks below an element. */
  read(parent: XmlElement, around: Surroundings = { depth: 0, behind: white }): Block[] {
    const blocks: Block[] = [];
    if (around.depth > maxDepth) return blocks;
    const inner = { ...around, depth: around.depth + 1 };
    for (const element of childElements(parent)) {
      if (element.name === 'w:p') blocks.push(...this.#paragraph(element, inner));
      else if (isTableBesidePage(element)) this.#file.countHidden(visibleCharacters(textIn(element)));
      else if (element.name === 'w:tbl') blocks.push({ kind: 'table', rows: this.#rows(element, inner) });
      else if (element.name === 'w:sdt') blocks.push(...this.#control(element, inner));
      else if (element.name === 'w:altChunk')
        blocks.push(...this.#file.readChunk(this.#relations, element.attribs['r:id']));
      else if (element.name === 'mc:AlternateContent') {
        const chosen = chosenContent(element);
        if (chosen) blocks.push(...this.read(chosen, inner));
      } else if (element.name.startsWith('m:oMath')) blocks.push(textBlock(equationText(element)), gap);
      else if (wrappers.has(element.name)) blocks.push(...this.read(element, inner));
    }
    return blocks;
  }

  #control(element: XmlElement, around: Surroundings): Block[] {
    const state = checkBox(element);
    const content = firstChild(element, 'w:sdtContent');
    if (state !== undefined) return [textBlock(state)];
    return content ? this.read(content, around) : [];
  }

  #rows(table: XmlElement, around: Surroundings): TableCell[][] {
    // A table style can colour cells in ways that depend on their place.
    const isStyled = firstChild(firstChild(table, 'w:tblPr'), 'w:tblStyle') !== undefined;
    const ofTable = shadingOf(firstChild(table, 'w:tblPr')).behind ?? around.behind;
    const behind = isStyled ? unknownBackground : ofTable;
    return this.#inside(table, 'w:tr').flatMap((row) => {
      const properties = firstChild(row, 'w:trPr');
      if (firstChild(properties, 'w:del') ?? firstChild(properties, 'w:hidden')) return [];
      const height = firstChild(properties, 'w:trHeight')?.attribs;
      if (isTooLow(height)) {
        this.#file.countHidden(visibleCharacters(textIn(row)));
        return [];
      }
      const before = Number(valueOf(firstChild(properties, 'w:gridBefore')) ?? 0);
      const cells: TableCell[] = before > 0 ? [{ blocks: [], columns: before }] : [];
      for (const cell of this.#inside(row, 'w:tc')) {
        const own = firstChild(cell, 'w:tcPr');
        const merge = firstChild(own, 'w:vMerge');
        const isCovered = merge !== undefined && valueOf(merge) !== 'restart';
        const shaded = { depth: around.depth + 1, behind: shadingOf(own).behind ?? behind };
        const columns = Number(valueOf(firstChild(own, 'w:gridSpan')) ?? 1);
        const isCut = isBelowRow(own, height);
        if (isCut) this.#file.countHidden(visibleCharacters(textIn(cell)));
        cells.push({ blocks: isCovered || isCut ? [] : this.read(cell, shaded), columns });
      }
      return [cells];
    });
  }

  /** Rows or cells, also those inside of controls and marks of changes. */
  #inside(parent: XmlElement, name: string, depth = 0): XmlElement[] {
    if (depth > maxDepth) return [];
    return childElements(parent).flatMap((element) => {
      if (element.name === name) return [element];
      return element.name === 'w:sdt' || wrappers.has(element.name) ? this.#inside(element, name, depth + 1) : [];
    });
  }

  #paragraph(element: XmlElement, around: Surroundings): Block[] {
    const outer = { blocks: this.#blocks, text: this.#text };
    this.#blocks = [];
    this.#text = '';
    const properties = firstChild(element, 'w:pPr');
    const styleId = valueOf(firstChild(properties, 'w:pStyle'));
    const style = this.#file.styles.paragraph(styleId);
    const mark = firstChild(properties, 'w:rPr');
    const behind = shadingOf(properties).behind ?? style.look.behind ?? around.behind;
    const place = { ...style.place, ...placeOfParagraph(properties) };
    const isOutOfSight = isUnseen(place, textIn(element).length);
    this.#inline(element, { ...style.look, behind, isOutOfSight }, around);
    const isEndDeleted = firstChild(mark, 'w:del') !== undefined || firstChild(mark, 'w:moveFrom') !== undefined;
    const text = this.#carried + this.#text;
    const finished = this.#blocks;
    this.#blocks = outer.blocks;
    this.#text = outer.text;
    // Both are one paragraph, with the number of the next one.
    if (isEndDeleted && finished.length === 0) {
      this.#carried = text;
      return [];
    }
    const label = lookOf(mark).isVanished && text.trim() === '' ? undefined : this.#label(properties, styleId);
    this.#carried = '';
    const isList = label !== undefined;
    const [first] = finished;
    const indent = label?.depth ?? 0;
    if (isList && label.label !== '' && first?.kind === 'text') first.text = `${label.label}${first.text}`;
    const last = isList && label.label !== '' && first?.kind !== 'text' ? `${label.label}${text}` : text;
    const blocks = last.trim() === '' ? finished : [...finished, textBlock(last.trimEnd(), indent)];
    return isList ? blocks : [...blocks, gap];
  }

  #label(
    properties: XmlElement | undefined,
    styleId: string | undefined,
  ): { label: string; depth: number } | undefined {
    const own = firstChild(properties, 'w:numPr');
    const inherited = this.#file.styles.paragraph(styleId).list;
    const listId = valueOf(firstChild(own, 'w:numId')) ?? inherited?.listId;
    if (listId === undefined || listId === '0') return undefined;
    const ownLevel = valueOf(firstChild(own, 'w:ilvl'));
    const ofStyle = styleId === undefined ? undefined : this.#file.numbering.levelOfStyle(listId, styleId);
    const level = ownLevel === undefined ? (ofStyle ?? inherited?.level ?? 0) : Number(ownLevel);
    return this.#file.numbering.next({ listId, level });
  }

  #inline(parent: XmlElement, look: RunLook, around: Surroundings): void {
    if (around.depth > maxDepth) return;
    const inner = { ...around, depth: around.depth + 1 };
    for (const element of childElements(parent)) {
      if (element.name === 'w:r') this.#run(element, look, inner);
      else if (element.name === 'w:sdt') {
        const state = checkBox(element);
        const content = firstChild(element, 'w:sdtContent');
        if (state !== undefined) this.#add(state);
        else if (content) this.#inline(content, look, inner);
      } else if (element.name === 'mc:AlternateContent') {
        const chosen = chosenContent(element);
        if (chosen) this.#inline(chosen, look, inner);
      } else if (element.name.startsWith('m:oMath')) this.#add(equationText(element));
      else if (wrappers.has(element.name)) this.#inline(element, look, inner);
      else if (element.name === 'w:subDoc') {
        this.#file.note({
          kind: 'embedded_file',
          message: 'A linked document was not read. Upload it as a file of its own.',
        });
      }
    }
  }

  #run(run: XmlElement, inherited: RunLook, around: Surroundings): void {
    const properties = firstChild(run, 'w:rPr');
    const character = this.#file.styles.character(valueOf(firstChild(properties, 'w:rStyle')));
    const look = { ...inherited, ...character, ...lookOf(properties) };
    const isHidden = isHiddenLook(look, around.behind);
    const fonts = firstChild(properties, 'w:rFonts')?.attribs;
    const before = this.#text.length;
    const wasHidden = this.#fields.isHidden;
    this.#fields.isHidden = isHidden;
    this.#runContent(run, around, fonts?.['w:ascii'] ?? fonts?.['w:hAnsi']);
    this.#fields.isHidden = wasHidden;
    if (this.#text.length <= before) return;
    const added = this.#text.slice(before);
    if (isHidden) {
      this.#file.countHidden(visibleCharacters(added));
      this.#text = this.#text.slice(0, before);
      return;
    }
    const kept = this.#text.slice(0, before);
    this.#text = kept + withRaisedDigits(kept, look.isCapital ? added.toUpperCase() : added, look.raised);
  }

  #runContent(run: XmlElement, around: Surroundings, font: string | undefined): void {
    for (const element of childElements(run)) {
      const { attribs } = element;
      switch (element.name) {
        case 'w:t':
          for (const node of element.children) if ('data' in node) this.#add(textInFont(node.data, font));
          break;
        case 'w:tab':
        case 'w:ptab':
          this.#add('\t');
          break;
        case 'w:cr':
          this.#add('\n');
          break;
        case 'w:br':
          if (attribs['w:type'] === 'page') this.#addBlocks([{ kind: 'page_break' }]);
          else this.#add('\n');
          break;
        case 'w:noBreakHyphen':
          this.#add('-');
          break;
        case 'w:sym':
          this.#add(symbolText(attribs['w:font'] ?? '', Number.parseInt(attribs['w:char'] ?? '20', 16) || 0x20));
          break;
        case 'w:instrText':
          for (const node of element.children) if ('data' in node) this.#fields.addInstruction(node.data);
          break;
        case 'w:fldChar':
          this.#add(this.#fields.mark(element));
          break;
        case 'w:footnoteReference':
        case 'w:endnoteReference':
          this.#addNote(element.name === 'w:footnoteReference' ? 'footnote' : 'endnote', element);
          break;
        case 'w:drawing':
        case 'w:pict':
        case 'w:object':
          this.#addDrawing(element, around);
          break;
        case 'w:ruby':
          for (const base of childElements(firstChild(element, 'w:rubyBase'), 'w:r')) {
            if (around.depth < maxDepth) this.#runContent(base, { ...around, depth: around.depth + 1 }, font);
          }
          break;
        case 'mc:AlternateContent': {
          const chosen = chosenContent(element);
          if (chosen && around.depth < maxDepth) this.#runContent(chosen, { ...around, depth: around.depth + 1 }, font);
          break;
        }
        default:
      }
    }
  }

  #add(text: string): void {
    if (this.#fields.areShown) this.#text += text;
    else this.#fields.addShown(text);
  }

  /** Adds blocks in the middle of the paragraph. */
  #addBlocks(blocks: readonly Block[]): void {
    if (blocks.length === 0 || !this.#fields.areShown) return;
    if (this.#text.trim() !== '') this.#blocks.push(textBlock(this.#text.trimEnd()));
    this.#text = '';
    this.#blocks.push(...blocks);
  }

  #addDrawing(element: XmlElement, around: Surroundings): void {
    const read = readDrawing(element, {
      archive: this.#file.archive,
      relations: this.#relations,
      readTextBox: (content, isFilled) =>
        // What is behind a box without a colour of its own is the page where nothing else is known to be there.
        this.read(content, {
          depth: around.depth + 1,
          behind: isFilled || around.behind !== white ? unknownBackground : white,
        }),
      note: (part) => this.#file.note(part),
      countHidden: (characters) => this.#file.countHidden(characters),
    });
    this.#addBlocks(read);
  }

  #addNote(kind: NoteKind, { attribs }: XmlElement): void {
    if (!this.#fields.areShown) return;
    const hasOwnMark = /^(?:1|true|on)$/.test(attribs['w:customMarkFollows'] ?? '');
    const position = this.#file.addNote(kind, attribs['w:id'] ?? '', hasOwnMark);
    if (position !== undefined) this.#add(markOfNote(kind, position));
  }
}
