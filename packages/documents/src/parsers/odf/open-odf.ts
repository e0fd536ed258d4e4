import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { ParseFailure } from '../../reader/parse-failure.ts';
import { childElements, firstChild, openArchive, type OfficeArchive, type XmlElement } from '../office-archive.ts';
import { orderShapes } from '../slides/reading-order.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { withRaisedDigits } from '../raised-digits.ts';
import { descendants, maxNesting, objectBlocks, placeOfShape, plainText, raised } from './odf-content.ts';
import { firstChildIsList, OdfLists, type ListState } from './odf-lists.ts';
import { isCollapsed, marginParagraphs, readOdfStyles, type OdfStyles } from './odf-styles.ts';

/** A cell or row that is repeated more often is empty filling of the sheet. */
const maxRepeats = 1_000;

/** A text, a sheet or a presentation of OpenDocument. */
export const openOdf: DocumentReader = async (bytes, limits) => {
  const archive = openArchive(bytes, limits.unpackedBytes);
  if (/manifest:encryption-data/.test(archive.text('META-INF/manifest.xml') ?? '')) {
    throw new ParseFailure(
      'password_required',
      'The file is protected with a password. Open it in its program, save it without the password and upload it again.',
    );
  }
  const root = archive.xml('content.xml');
  const body = childElements(firstChild(root, 'office:body'))[0];
  if (root === undefined || body === undefined) throw new Error('The archive has no content.');
  const styles = archive.xml('styles.xml');
  const reader = new OdfReader(archive, [styles, root]);
  const master = childElements(firstChild(styles, 'office:master-styles'), 'style:master-page')[0];
  const headers = body.name === 'office:text' ? reader.read(firstChild(master, 'style:header')) : [];
  const content = reader.read(body);
  const footers = body.name === 'office:text' ? reader.read(firstChild(master, 'style:footer')) : [];
  return flowDocument([...headers, gap, ...content, gap, ...reader.notes, gap, ...footers], {
    hiddenText: reader.hiddenText,
    unread: [...reader.unread, ...archive.unread],
  });
};

class OdfReader {
  hiddenText = 0;
  readonly notes: Block[] = [];
  readonly unread: UnreadPart[] = [];
  readonly #archive: OfficeArchive;
  readonly #lists: OdfLists;
  readonly #styles: OdfStyles;
  /** Texts at the foot of slides, by their names. */
  readonly #slideFooters = new Map<string, string>();
  #slideNumber = 0;
  /** What a field for the name of the slide shows. */
  #slideName: string | undefined;
  #blocks: Block[] = [];

  constructor(archive: OfficeArchive, roots: readonly (XmlElement | undefined)[]) {
    this.#archive = archive;
    this.#styles = readOdfStyles(roots);
    this.#lists = new OdfLists(this.#styles.lists);
  }

  read(parent: XmlElement | undefined, depth = 0, list?: ListState): Block[] {
    if (parent === undefined || depth > maxNesting) return [];
    return childElements(parent).flatMap((element): Block[] => this.#block(element, depth + 1, list));
  }

  #block(element: XmlElement, depth: number, list?: ListState): Block[] {
    const { name, attribs } = element;
    switch (name) {
      case 'text:h':
        return this.#paragraph(element, depth, list === undefined ? this.#chapterNumber(element) : '');
      case 'text:p':
        return this.#paragraph(element, depth);
      case 'text:list':
        return this.#list(element, depth, list);
      case 'table:table':
        return this.#table(element, depth);
      case 'draw:page':
        this.#slideNumber += 1;
        this.#slideName = shownNameOf(attribs['draw:name'], this.#slideNumber);
        if (this.#styles.hidden.has(attribs['draw:style-name'] ?? '')) return this.#hide(element);
        return [{ kind: 'page_break' }, ...this.#slide(element, depth), gap];
      case 'presentation:footer-decl':
        this.#slideFooters.set(attribs['presentation:name'] ?? '', plainText(element, 0).trim());
        return [];
      case 'presentation:notes':
      case 'text:tracked-changes':
      case 'office:forms':
      case 'text:sequence-decls':
      case 'office:annotation':
      case 'table:named-expressions':
      case 'table:database-ranges':
      case 'table:content-validations':
        return [];
      case 'text:section':
        return attribs['text:display'] === 'none' ? this.#hide(element) : this.read(element, depth);
      case 'draw:frame':
        return objectBlocks(element, this.#archive) ?? this.read(element, depth, list);
      case 'draw:image':
        return this.#picture(attribs['xlink:href']);
      case 'draw:object':
      case 'draw:object-ole':
      case 'draw:plugin':
        this.#note(name === 'draw:plugin' ? 'media' : 'embedded_file', 'An embedded object was not read.');
        return [];
      default:
        return this.read(element, depth, list);
    }
  }

  /** A slide with the texts of its master, such as a letterhead, its footer and its notes. */
  #slide(slide: XmlElement, depth: number): Block[] {
    const behind = childElements(this.#styles.masters.get(slide.attribs['draw:master-page-name'] ?? ''))
      .filter(({ attribs }) => /^(?:header|footer)?$/.test(attribs['presentation:class'] ?? ''))
      .flatMap((shape) => this.#block(shape, depth + 1))
      .filter(({ kind }) => kind === 'text' || kind === 'table');
    const footer = this.#slideFooters.get(slide.attribs['presentation:use-footer-name'] ?? '');
    const notes = childElements(firstChild(slide, 'presentation:notes'))
      .filter(({ attribs }) => /^(?:notes)?$/.test(attribs['presentation:class'] ?? ''))
      .flatMap((shape) => this.#block(shape, depth + 1))
      .filter(({ kind }) => kind === 'text');
    return [
      ...behind,
      ...this.#shapes(slide, depth),
      ...(footer ? [textBlock(footer)] : []),
      ...(notes.length > 0 ? [textBlock('Notes:'), ...notes] : []),
    ];
  }

  /** The shapes of a slide in the order in which people read them. */
  #shapes(slide: XmlElement, depth: number): Block[] {
    const shapes = childElements(slide).map((shape) => ({ ...placeOfShape(shape), shape }));
    return orderShapes(shapes).flatMap(({ shape }) => this.#block(shape, depth + 1));
  }

  #hide(element: XmlElement): never[] {
    this.hiddenText += visibleCharacters(plainText(element, 0));
    return [];
  }

  /** The number that the numbering of chapters gives to a heading. */
  #chapterNumber({ attribs }: XmlElement): string {
    if (attribs['text:is-list-header'] === 'true') return '';
    if (this.#styles.unnumbered.has(attribs['text:style-name'] ?? '')) return '';
    return this.#lists.heading(this.#styles.chapters, Number(attribs['text:outline-level'] ?? 1));
  }

  #paragraph(element: XmlElement, depth: number, number = ''): Block[] {
    if (this.#styles.hidden.has(element.attribs['text:style-name'] ?? '')) return this.#hide(element);
    const outer = this.#blocks;
    this.#blocks = [];
    const own = this.#inline(element, depth);
    const text = number === '' || own.trim() === '' ? own : `${number} ${own}`;
    const more = this.#blocks;
    this.#blocks = outer;
    return [...(text.trim() === '' ? [] : [textBlock(text.trimEnd())]), ...more, gap];
  }

  #inline(parent: XmlElement, depth: number): string {
    if (depth > maxNesting) return '';
    let text = '';
    for (const node of parent.children) {
      if (!('attribs' in node)) {
        if ('data' in node && !('target' in node)) text += node.data.replace(/\s+/g, ' ');
        continue;
      }
      const place = this.#styles.raised.get(node.attribs['text:style-name'] ?? '');
      text += withRaisedDigits(text, this.#inlineElement(node, depth + 1), place);
    }
    return text;
  }

  #inlineElement(element: XmlElement, depth: number): string {
    const { name, attribs } = element;
    switch (name) {
      case 'text:s':
        return ' '.repeat(Math.min(200, Number(attribs['text:c'] ?? 1)));
      case 'text:tab':
        return '\t';
      case 'text:line-break':
        return '\n';
      case 'text:note': {
        const mark = plainText(firstChild(element, 'text:note-citation'), 0);
        const body = this.read(firstChild(element, 'text:note-body'), depth);
        const [first, ...rest] = body;
        this.notes.push(...(first?.kind === 'text' ? [textBlock(`${raised(mark)} ${first.text}`), ...rest] : body));
        return raised(mark);
      }
      case 'text:page-number':
        return this.#slideNumber > 0 ? String(this.#slideNumber) : this.#inline(element, depth);
      case 'text:page-name':
        return this.#slideName ?? this.#inline(element, depth);
      case 'office:annotation':
      case 'text:bookmark':
        return '';
      case 'text:hidden-text':
        return attribs['text:is-hidden'] === 'false' ? (attribs['text:string-value'] ?? '') : '';
      case 'text:ruby':
        return plainText(firstChild(element, 'text:ruby-base'), 0);
      case 'draw:frame':
      case 'draw:custom-shape':
      case 'draw:rect':
      case 'draw:g':
        this.#blocks.push(...this.#block(element, depth));
        return '';
      default:
        if (!this.#styles.hidden.has(attribs['text:style-name'] ?? '')) return this.#inline(element, depth);
        this.#hide(element);
        return '';
    }
  }

  #list(element: XmlElement, depth: number, parent?: ListState): Block[] {
    const state = this.#lists.begin(element, parent);
    return childElements(element).flatMap((item): Block[] => {
      const isHeader = item.name === 'text:list-header';
      const label = isHeader ? '' : this.#lists.label(state, item);
      const blocks = this.read(item, depth + 1, state).filter((block) => block.kind !== 'gap');
      const [first] = blocks;
      if (label === '' || first?.kind !== 'text' || firstChildIsList(item)) return blocks;
      return [textBlock(`${label} ${first.text}`, state.level - 1), ...blocks.slice(1)];
    });
  }

  #table(element: XmlElement, depth: number): Block[] {
    const { attribs } = element;
    if (attribs['table:display'] === 'false' || this.#styles.hidden.has(attribs['table:style-name'] ?? ''))
      return this.#hide(element);
    const hiddenColumns = new Set<number>();
    let column = 0;
    for (const each of descendants(element, 'table:table-column')) {
      const count = Math.min(20_000, Number(each.attribs['table:number-columns-repeated'] ?? 1));
      if (isCollapsed(each)) for (let index = 0; index < count; index += 1) hiddenColumns.add(column + index);
      column += count;
    }
    const rows = descendants(element, 'table:table-row').flatMap((row): TableCell[][] => {
      if (isCollapsed(row)) return this.#hide(row);
      const cells = this.#cells(row, depth, hiddenColumns);
      const isEmpty = cells.every(({ blocks }) => blocks.length === 0);
      const repeats = isEmpty ? 1 : Math.min(maxRepeats, Number(row.attribs['table:number-rows-repeated'] ?? 1));
      return Array.from({ length: repeats }, () => cells);
    });
    const isSheet = element.parent !== null && 'name' in element.parent && element.parent.name === 'office:spreadsheet';
    const isPrinted = isSheet && rows.some((row) => row.some(({ blocks }) => blocks.length > 0));
    const margin = (kind: 'style:header' | 'style:footer'): Block[] =>
      isPrinted ? marginParagraphs(this.#styles, element, kind).flatMap((each) => this.#paragraph(each, depth)) : [];
    return [
      ...(isSheet ? [{ kind: 'page_break' } as const, textBlock(attribs['table:name'] ?? ''), gap] : []),
      ...margin('style:header'),
      { kind: 'table', rows },
      ...margin('style:footer'),
    ];
  }

  #cells(row: XmlElement, depth: number, hiddenColumns: ReadonlySet<number>): TableCell[] {
    const cells: TableCell[] = [];
    let column = 0;
    for (const cell of childElements(row)) {
      const isCovered = cell.name === 'table:covered-table-cell';
      if (cell.name !== 'table:table-cell' && !isCovered) continue;
      const count = Number(cell.attribs['table:number-columns-repeated'] ?? 1);
      if (isCovered) {
        this.#hide(cell);
        column += count;
        continue;
      }
      const isHidden = hiddenColumns.has(column);
      column += count;
      if (isHidden) {
        this.#hide(cell);
        continue;
      }
      const blocks = this.read(cell, depth + 1).filter(({ kind }) => kind !== 'gap');
      const columns = Number(cell.attribs['table:number-columns-spanned'] ?? 1);
      const repeats = Math.min(blocks.length === 0 ? 50 : maxRepeats, count);
      for (let index = 0; index < repeats; index += 1)
        cells.push({ blocks, columns, rows: Number(cell.attribs['table:number-rows-spanned'] ?? 1) });
    }
    while (cells.at(-1)?.blocks.length === 0) cells.pop();
    return cells;
  }

  #picture(path: string | undefined): Block[] {
    const bytes = path === undefined ? undefined : this.#archive.bytes(path.replace(/^\.\//, ''));
    if (bytes) return [{ kind: 'picture', bytes, name: path!.slice(path!.lastIndexOf('/') + 1) }];
    this.#note('picture', 'A linked picture was not read, because nothing is fetched.');
    return [];
  }

  #note(kind: UnreadPart['kind'], message: string): void {
    this.unread.push({ kind, message });
  }
}

/** Names such as `page2` are those of LibreOffice for slides that nobody named. */
function shownNameOf(name: string | undefined, number: number): string {
  return name === undefined || /^page\d+$/u.test(name) ? `Slide ${number}` : name;
}
