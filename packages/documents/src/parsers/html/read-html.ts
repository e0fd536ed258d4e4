import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import type { Block, TableCell } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { XmlElement, XmlNode as Node } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { HtmlFlow } from './html-flow.ts';
import { controlText, listCounter, readPicture, type ListCounter, type PictureSource } from './shown-values.ts';
import { addTable, cellsOfRow, columnsOf, isRowOfItems, maxDepth, type TableHost } from './html-table.ts';
import { isSeen, lookOfElement, rootLook, type Look } from './look.ts';
import { readStyleSheets, type Declarations } from './style-sheet.ts';

export interface HtmlContent {
  blocks: Block[];
  /** Number of characters that a browser does not show. */
  hiddenText: number;
  unread: UnreadPart[];
}

/** What a browser shows of a page. No script is run, and nothing is fetched: `pictures` finds those that came with the page. */
export function readHtml(html: string, pictures: PictureSource = () => undefined): HtmlContent {
  const page = parseDocument(html);
  const sheets = DomUtils.getElementsByTagName('style', page, true)
    .filter(({ attribs }) => !/\bprint\b/i.test(attribs['media'] ?? ''))
    .map((sheet) => DomUtils.textContent(sheet));
  const reader = new HtmlReader(readStyleSheets(sheets), pictures);
  return reader.read(page.children);
}

class HtmlReader implements TableHost {
  readonly #declarationsOf;
  readonly #pictures;
  readonly flow = new HtmlFlow();
  #isTooDeep = false;
  readonly #unread: UnreadPart[] = [];

  constructor(declarationsOf: ReturnType<typeof readStyleSheets>, pictures: PictureSource) {
    this.#declarationsOf = declarationsOf;
    this.#pictures = pictures;
  }

  read(nodes: readonly Node[]): HtmlContent {
    this.nodes(nodes, rootLook, 0);
    this.flow.endLine();
    if (this.#isTooDeep)
      this.#unread.push({
        kind: 'other',
        message: `Parts of the page inside of more than ${maxDepth} others were not read.`,
      });
    return { blocks: this.flow.blocks, hiddenText: this.flow.hiddenText, unread: this.#unread };
  }

  lookOf(element: XmlElement, parent: Look): { look: Look; declared: Declarations } {
    const declared = this.#declarationsOf(element);
    return { look: lookOfElement(element, declared, parent), declared };
  }

  nodes(nodes: readonly Node[], look: Look, depth: number, list?: ListCounter): void {
    for (const node of nodes) {
      if (node.type === ElementType.Text) this.flow.text(node.data, look);
      else if ('attribs' in node) this.element(node, look, depth, list);
      else if ('children' in node) this.nodes(node.children, look, depth);
    }
  }

  element(element: XmlElement, parent: Look, depth: number, list?: ListCounter): void {
    if (depth > maxDepth) {
      this.#isTooDeep = true;
      return;
    }
    const { declared, look } = this.lookOf(element, parent);
    if (look.isGone) {
      this.hide(element);
      return;
    }
    const { name, children, attribs } = element;
    switch (name) {
      case 'br':
        this.flow.line = `${this.flow.line.trimEnd()}\n`;
        return;
      case 'wbr':
        return;
      case 'hr':
        this.flow.gap();
        return;
      case 'img':
      case 'image':
        this.#picture(element);
        return;
      case 'svg':
        this.#drawing(element, look);
        return;
      case 'input':
      case 'select':
      case 'textarea':
      case 'button':
      case 'meter':
      case 'progress':
        if (name === 'button') break;
        if (isSeen(look)) this.flow.apart(controlText(element));
        return;
      case 'video':
      case 'audio':
      case 'object':
      case 'embed':
      case 'applet':
        this.#note(
          'media',
          attribs['src'] ?? attribs['data'],
          'A film, a recording or another embedded object was not read.',
        );
        return;
      case 'iframe':
      case 'frame':
        this.#note('other', attribs['src'], 'A page inside of the page was not fetched. Save it and upload it.');
        return;
      case 'annotation':
      case 'annotation-xml':
        return;
      case 'details':
        this.#details(element, look, depth);
        return;
      case 'fieldset':
      case 'p':
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
      case 'dl':
        this.flow.gap();
        this.nodes(children, look, depth + 1);
        this.flow.gap();
        return;
      case 'ol':
      case 'ul':
      case 'menu':
        if (look.display === 'block') {
          this.#list(element, look, depth);
          return;
        }
        break;
      case 'blockquote':
      case 'dd':
        this.flow.endLine();
        this.flow.indented(() => this.nodes(children, look, depth + 1));
        return;
      case 'td':
      case 'th':
        break;
      default:
    }
    this.#box(element, look, depth, declared, list);
  }

  /** An element that is laid out by its display alone. */
  #box(
    element: XmlElement,
    look: Look,
    depth: number,
    declared: ReadonlyMap<string, string>,
    list?: ListCounter,
  ): void {
    const { children } = element;
    if (look.display === 'contents') {
      this.nodes(children, look, depth + 1, list);
    } else if (look.display === 'list-item') {
      this.flow.endLine();
      this.flow.line = list?.next(element, look.listStyle) ?? '';
      this.nodes(children, look, depth + 1);
      this.flow.endLine();
    } else if (/^(?:inline-)?table$/.test(look.display)) {
      addTable(element, look, depth, this);
    } else if (/^table-row$/.test(look.display)) {
      this.flow.endLine();
      this.flow.blocks.push({ kind: 'table', rows: [cellsOfRow(element, look, depth, this)] });
    } else if (isRowOfItems(look.display, declared)) {
      this.flow.endLine();
      this.#rowOfItems(element, look, depth, declared);
    } else if (/^inline-|^table-cell$/.test(look.display) || element.name === 'button') {
      // Boxes within a line are separated.
      this.flow.space();
      this.nodes(children, look, depth + 1);
      this.flow.space();
    } else if (look.display === 'inline' || look.display === 'ruby') {
      this.nodes(children, look, depth + 1, list);
    } else {
      this.flow.endLine();
      this.nodes(children, look, depth + 1, list);
      this.flow.endLine();
    }
  }

  #list(element: XmlElement, look: Look, depth: number): void {
    if (this.flow.indent === 0) this.flow.gap();
    this.flow.endLine();
    this.flow.indented(() => this.nodes(element.children, look, depth + 1, listCounter(element)));
    if (this.flow.indent === 0) this.flow.gap();
  }

  /** A browser shows the summary of a closed element alone. */
  #details(element: XmlElement, look: Look, depth: number): void {
    this.flow.endLine();
    const isOpen = element.attribs['open'] !== undefined;
    for (const child of element.children) {
      const isSummary = 'attribs' in child && child.name === 'summary';
      if (isOpen || isSummary) this.nodes([child], look, depth + 1);
      else this.hide(child);
    }
    this.flow.endLine();
  }

  hide(node: Node): void {
    if (node.type === ElementType.Text) this.flow.hiddenText += visibleCharacters(node.data);
    else if ('attribs' in node && !/^(?:script|style|head|title|noscript)$/.test(node.name)) {
      this.flow.hiddenText += visibleCharacters(DomUtils.innerText(node));
    }
  }

  #rowOfItems(element: XmlElement, look: Look, depth: number, declared: ReadonlyMap<string, string>): void {
    const cells: TableCell[] = [];
    for (const child of element.children) {
      const blocks = this.flow.blocksOf(() => this.nodes([child], look, depth + 1));
      if (blocks.some(({ kind }) => kind !== 'gap')) cells.push({ blocks });
    }
    if (/reverse/.test(declared.get('flex-direction') ?? declared.get('flex-flow') ?? '')) cells.reverse();
    const columns = /grid/.test(look.display) ? columnsOf(declared) : cells.length;
    const rows: TableCell[][] = [];
    for (let at = 0; at < cells.length; at += Math.max(1, columns))
      rows.push(cells.slice(at, at + Math.max(1, columns)));
    if (rows.length > 0) this.flow.blocks.push({ kind: 'table', rows });
  }

  #picture({ attribs }: XmlElement): void {
    const read = readPicture(attribs, this.#pictures);
    if (read === undefined) return;
    if (read.kind !== 'picture') {
      this.#unread.push(read.part);
      return;
    }
    this.flow.endLine();
    this.flow.blocks.push(read);
  }

  /** The texts of a drawing, each at a place of its own. */
  #drawing(element: XmlElement, look: Look): void {
    if (!isSeen({ ...look, color: 'unknown' })) return this.hide(element);
    for (const text of DomUtils.getElementsByTagName('text', element, true))
      this.flow.apart(DomUtils.textContent(text).replace(/\s+/g, ' ').trim());
  }

  #note(kind: UnreadPart['kind'], name: string | undefined, message: string): void {
    this.#unread.push({ kind, ...(name === undefined || name === '' ? {} : { name: name.slice(0, 200) }), message });
  }
}
