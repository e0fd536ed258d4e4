import { DomHandler, Parser, type ParserOptions } from 'htmlparser2';
import type { XmlElement as Element } from '../office-archive.ts';

/** More than a reader goes into, so that it notices what it leaves out. */
const maxDepth = 450;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** An end tag of another name ends no element around one of these. */
const special = words(
  'address applet article aside blockquote button caption center dd details dialog dir div dl dt fieldset figcaption figure footer foreignobject form h1 h2 h3 h4 h5 h6 header hgroup iframe li main marquee menu nav noscript object ol p pre search section select summary table tbody td template tfoot th thead tr ul xmp',
);
/** An end tag of one of those ends no element around one of these. */
const enclosed = words('applet caption foreignobject marquee object select table td template th');
const tableParts = words('caption table tbody td tfoot th thead tr');
const enclosedInTable = words('table template');
/** What stands behind the end of one of these is outside of it, although the elements in it go on. */
const formatting = words('a b big code em font i nobr s small strike strong tt u');

const enclosedInList = enclosed.union(words('ol ul'));
const enclosedInButton = enclosed.union(words('button'));

/** The elements that the end tag of a name does not reach behind, as browsers read pages. */
function limitsOf(name: string): ReadonlySet<string> {
  if (tableParts.has(name)) return enclosedInTable;
  if (!special.has(name)) return special;
  if (name === 'li') return enclosedInList;
  return name === 'p' ? enclosedInButton : enclosed;
}

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

type Place = readonly [start: number, end: number];

class CountingHandler extends DomHandler {
  readonly #names = new NameStack();

  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    this.#names.push(name);
  }

  override onclosetag(): void {
    super.onclosetag();
    this.#names.pop();
  }

  /** The number of open elements. */
  get depth(): number {
    return this.#names.size;
  }

  isOpen(name: string): boolean {
    return this.#names.has(name);
  }

  get innermost(): Element | undefined {
    const node = this.tagStack.at(-1);
    return node !== undefined && 'name' in node ? node : undefined;
  }

  /** The innermost open element of a name, if none of the limits is inside of it. */
  find(name: string, limits: ReadonlySet<string>): Element | undefined {
    for (let at = this.tagStack.length - 1; at > 0; at -= 1) {
      const element = this.tagStack[at] as Element;
      if (element.name === name) return element;
      if (limits.has(element.name)) return undefined;
    }
    return undefined;
  }
}

class BoundedParser extends Parser {
  readonly #html;
  readonly #handler;
  readonly #endsWhereItBegins;
  readonly #leftOut = new NameStack();
  /** Open elements of formats that have ended, by the place of the name in their end tag. */
  readonly #ended = new WeakMap<Element, Place>();
  /** Names of formats whose end tags stand in an element without ending anything there. */
  readonly #heldBack = new WeakMap<Element, Set<string>>();
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
    const isSheet = name === 'style' && this.#handler.innermost?.name !== 'style';
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
    // Only the end tag of a style sheet ends it.
    if (name !== 'style' || this.#handler.innermost?.name !== name) {
      if (this.#leftOut.size > 0 && (this.#leftOut.closes(name) || !this.#handler.isOpen(name))) return;
      if (this.#isHeldBack(name, [start, end])) return;
      // It ends an element that is not left out, and all inside of it.
      this.#leftOut.clear();
    }
    super.onclosetag(start, end);
    for (let ended = this.#endOfInnermost(); ended !== undefined; ended = this.#endOfInnermost()) {
      super.onclosetag(...ended);
    }
  }

  /** Whether an end tag ends nothing here. One of a format ends it together with the elements in it. */
  #isHeldBack(name: string, place: Place): boolean {
    // What stands behind the end of a page is still in its last element.
    if (name === 'body' || name === 'html') return true;
    if (!this.#handler.isOpen(name) || this.#handler.find(name, limitsOf(name)) !== undefined) return false;
    const { innermost } = this.#handler;
    if (innermost === undefined || !formatting.has(name)) return true;
    const known = this.#heldBack.get(innermost) ?? new Set();
    this.#heldBack.set(innermost, known);
    const format = known.has(name) ? undefined : this.#handler.find(name, enclosed);
    known.add(name);
    if (format !== undefined) this.#ended.set(format, place);
    return true;
  }

  #endOfInnermost(): Place | undefined {
    const { innermost } = this.#handler;
    return innermost && this.#ended.get(innermost);
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

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
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
    if (!this.has(name)) return false;
    while (this.pop() !== name);
    return true;
  }

  clear(): void {
    this.#names.length = 0;
    this.#counts.clear();
  }
}
