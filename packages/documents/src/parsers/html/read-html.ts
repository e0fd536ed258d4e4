import { DomUtils, ElementType } from 'htmlparser2';
import type { Block } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { XmlElement, XmlNode as Node } from '../office-archive.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { HtmlFlow } from './html-flow.ts';
import { readDrawingTexts } from './drawing-text.ts';
import { GeneratedContent } from './generated-content.ts';
import { emptyUnseen, mathText } from './math-text.ts';
import {
  backgroundPicture,
  controlText,
  listCounter,
  pageInside,
  isShownObject,
  readPicture,
  type ListCounter,
  type PictureSource,
} from './shown-values.ts';
import { parsePage } from './parse-page.ts';
import { addItems, addTable, cellsOfRow, type TableHost } from './html-table.ts';
import { isSeen, lookOfElement, rootLook, type Look } from './look.ts';
import { appliesToPage, readStyleSheets, type Declarations, type StyleSheets } from './style-sheet.ts';

/** Pages inside of pages are read so deep. */
const maxFrames = 3;

/** Elements inside of more others are not read. */
const maxDepth = 400;

export interface HtmlContent {
  blocks: Block[];
  /** Number of characters that a browser does not show. */
  hiddenText: number;
  unread: UnreadPart[];
}

/** What a browser shows of a page. No script is run, and nothing is fetched: `pictures` finds those that came with the page. */
export function readHtml(html: string, pictures: PictureSource = () => undefined, frames = 0): HtmlContent {
  // In XML any element can end where it begins.
  const page = parsePage(html, { isXml: /^\s*<\?xml\b/.test(html) });
  const sheets = DomUtils.getElementsByTagName('style', page, true)
    .filter(appliesToPage)
    .map((sheet) => DomUtils.textContent(sheet));
  const reader = new HtmlReader(readStyleSheets(sheets), pictures, frames);
  return reader.read(page.children);
}

class HtmlReader implements TableHost {
  readonly #generated;
  readonly #pictures;
  /** The number of pages around this one. */
  readonly #frames;
  readonly flow = new HtmlFlow();
  #hasTooDeep = false;
  readonly #unread: UnreadPart[] = [];

  constructor(sheets: StyleSheets, pictures: PictureSource, frames: number) {
    this.#generated = new GeneratedContent(sheets);
    this.#pictures = pictures;
    this.#frames = frames;
  }

  read(nodes: readonly Node[]): HtmlContent {
    this.nodes(nodes, rootLook, 0);
    this.flow.endLine();
    if (this.#hasTooDeep)
      this.#unread.push({
        kind: 'other',
        message: `Parts of the page inside of more than ${maxDepth} others were not read.`,
      });
    return { blocks: this.flow.blocks, hiddenText: this.flow.hiddenText, unread: this.#unread };
  }

  lookOf(element: XmlElement, parent: Look): { look: Look; declared: Declarations } {
    const declared = this.#generated.declarationsOf(element);
    const look = lookOfElement(element, declared, parent);
    if (!look.isGone) this.#generated.addTo(element, declared);
    return { look, declared };
  }

  nodes(nodes: readonly Node[], look: Look, depth: number, list?: ListCounter): void {
    for (const node of nodes) {
      if (node.type === ElementType.Text) this.flow.text(node.data, look);
      else if ('attribs' in node) this.element(node, look, depth, list);
      else if ('children' in node) this.nodes(node.children, look, depth);
    }
  }

  isTooDeep(depth: number): boolean {
    this.#hasTooDeep ||= depth > maxDepth;
    return depth > maxDepth;
  }

  element(element: XmlElement, parent: Look, depth: number, list?: ListCounter): void {
    if (this.isTooDeep(depth)) return;
    const { declared, look } = this.lookOf(element, parent);
    if (look.isGone) {
      this.hide(element);
      return;
    }
    this.#addPicture(isSeen({ ...look, color: 'unknown' }) ? backgroundPicture(declared) : undefined);
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
        this.#drawing(element, look, depth);
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
        if (name === 'object' && !isShownObject(attribs)) break;
        this.#note(
          'media',
          attribs['src'] ?? attribs['data'],
          'A film, a recording or another embedded object was not read.',
        );
        return;
      case 'iframe':
      case 'frame':
        if (isSeen({ ...look, color: 'unknown' })) this.#frame(element);
        return;
      case 'math':
        emptyUnseen(element, look, this);
        this.flow.text(mathText(element), look);
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
      const mark = list?.next(element, look.listStyle) ?? '';
      this.flow.line = this.#generated.markerOf(element) ?? mark;
      this.nodes(children, look, depth + 1);
      this.flow.endLine();
    } else if (/^(?:inline-)?table$/.test(look.display)) {
      addTable(element, look, depth, this);
    } else if (/^table-row$/.test(look.display)) {
      this.flow.endLine();
      this.flow.blocks.push({ kind: 'table', rows: [cellsOfRow(element, look, depth, this)] });
    } else if (/flex$|grid$/.test(look.display)) {
      addItems(element, look, depth, { declared, host: this });
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

  #picture({ attribs }: XmlElement): void {
    this.#addPicture(readPicture(attribs, this.#pictures));
  }

  #addPicture(read: ReturnType<typeof readPicture>): void {
    if (read === undefined) return;
    if (read.kind !== 'picture') {
      this.#unread.push(read.part);
      return;
    }
    this.flow.endLine();
    this.flow.blocks.push(read);
  }

  /** A page inside of the page, which is read if it is a part of its text. */
  #frame(element: XmlElement): void {
    const page = this.#frames < maxFrames ? pageInside(element) : undefined;
    if (page === undefined) {
      return this.#note(
        'other',
        element.attribs['src'],
        'A page inside of the page was not fetched. Save it and upload it.',
      );
    }
    const inner = readHtml(page, this.#pictures, this.#frames + 1);
    this.flow.endLine();
    this.flow.blocks.push(...inner.blocks);
    this.flow.hiddenText += inner.hiddenText;
    this.#unread.push(...inner.unread);
  }

  #drawing(element: XmlElement, look: Look, depth: number): void {
    if (!isSeen({ ...look, color: 'unknown' })) return this.hide(element);
    readDrawingTexts(element, look, {
      lookOf: (each, parent) => this.lookOf(each, parent),
      hide: (each) => this.hide(each),
      text: (text) => this.flow.apart(text),
      page: (each, own) => {
        this.flow.endLine();
        this.nodes(each.children, own, depth + 1);
        this.flow.endLine();
      },
    });
  }

  #note(kind: UnreadPart['kind'], name: string | undefined, message: string): void {
    this.#unread.push({ kind, ...(name === undefined || name === '' ? {} : { name: name.slice(0, 200) }), message });
  }
}
