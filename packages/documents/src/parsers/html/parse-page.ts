import { DomHandler, Parser, type ParserOptions } from 'htmlparser2';

/** More than a reader goes into, so that it notices what it leaves out. */
const maxDepth = 450;

/**
 * The elements of a page, without those inside of more than `maxDepth` others: their text belongs to the deepest element that is left. The
 * parser's time grows with the square of the depth; 20,000 tables inside of each other took half a minute. Style sheets are in the tree at
 * any depth, since their rules are for the whole page.
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

  /** Whether an element of a name is open. */
  isOpen(name: string): boolean {
    return this.tagStack.some((element) => 'name' in element && element.name === name);
  }

  /** Whether the innermost open element has a name. */
  isIn(name: string): boolean {
    const innermost = this.tagStack.at(-1);
    return innermost !== undefined && 'name' in innermost && innermost.name === name;
  }
}

class BoundedParser extends Parser {
  readonly #html;
  readonly #handler;
  readonly #endsWhereItBegins;
  readonly #leftOut = new NameStack();
  /** Whether the current start tag has opened an element that is left out. */
  #opensLeftOut = false;

  constructor(html: string, handler: CountingHandler, options: ParserOptions) {
    super(handler, options);
    this.#html = html;
    this.#handler = handler;
    this.#endsWhereItBegins = options.recognizeSelfClosing ?? false;
  }

  override onopentagname(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    const isSheet = name === 'style' && !this.#handler.isIn('style');
    const isLeftOut = !isSheet && (this.#leftOut.size > 0 || this.#handler.depth >= maxDepth);
    this.#opensLeftOut = isLeftOut && !this.isVoidElement(name);
    if (this.#opensLeftOut) this.#leftOut.push(name);
    if (!isLeftOut) super.onopentagname(start, end);
  }

  override onselfclosingtag(end: number): void {
    if (this.#opensLeftOut && this.#endsWhereItBegins) this.#leftOut.pop();
    super.onselfclosingtag(end);
  }

  override onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    if (this.#leftOut.size > 0 && !(name === 'style' && this.#handler.isIn(name))) {
      if (this.#leftOut.closes(name) || !this.#handler.isOpen(name)) return;
      // It ends an element that is not left out, and all inside of it.
      this.#leftOut.clear();
    }
    super.onclosetag(start, end);
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }
}

/** Names of open elements, the outermost first. */
class NameStack {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#names.length;
  }

  push(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  pop(): string | undefined {
    const name = this.#names.pop();
    if (name !== undefined) this.#counts.set(name, this.#counts.get(name)! - 1);
    return name;
  }

  /** Removes the last element of a name and all inside of it, if there is one. */
  closes(name: string): boolean {
    if ((this.#counts.get(name) ?? 0) === 0) return false;
    while (this.pop() !== name);
    return true;
  }

  clear(): void {
    this.#names.length = 0;
    this.#counts.clear();
  }
}
