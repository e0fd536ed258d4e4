import { DomHandler, Parser, type ParserOptions } from 'htmlparser2';

/** More than a reader goes into, so that it notices what it leaves out. */
const maxDepth = 450;
/** The end of an element is looked for among so many that were opened last. */
const maxUnclosed = 100;

/**
 * The elements of a page, without those inside of more than `maxDepth` others: their text belongs to the deepest element that is left. The
 * parser's time grows with the square of the depth; 20,000 tables inside of each other took half a minute.
 */
export function parsePage(html: string, options: ParserOptions) {
  const handler = new CountingHandler(undefined, options);
  new BoundedParser(html, handler, options).end(html);
  return handler.root;
}

class CountingHandler extends DomHandler {
  /** The number of open elements. */
  get depth(): number {
    return this.tagStack.length - 1;
  }
}

class BoundedParser extends Parser {
  readonly #html;
  readonly #handler;
  /** Names of open elements that are left out, the outermost first. */
  readonly #leftOut: string[] = [];

  constructor(html: string, handler: CountingHandler, options: ParserOptions) {
    super(handler, options);
    this.#html = html;
    this.#handler = handler;
  }

  override onopentagname(start: number, end: number): void {
    if (this.#leftOut.length === 0 && this.#handler.depth < maxDepth) {
      super.onopentagname(start, end);
      return;
    }
    const name = this.#nameAt(start, end);
    if (!this.isVoidElement(name)) this.#leftOut.push(name);
  }

  override onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    const last = this.#leftOut.slice(-maxUnclosed);
    const at = last.lastIndexOf(name);
    if (at !== -1) {
      this.#leftOut.length -= last.length - at;
      return;
    }
    if (last.length > 0 && this.isVoidElement(name)) return;
    // It ends an element that is not left out, and all inside of it.
    this.#leftOut.length = 0;
    super.onclosetag(start, end);
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }
}
