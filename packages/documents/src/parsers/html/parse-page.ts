import { Element, isComment, isText, Text } from 'domhandler';
import type { parseDocument } from 'htmlparser2';
import { Parser, TokenizerMode, Token } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { ParseFailure } from '../../reader/parse-failure.ts';
import type { XmlElement } from '../office-archive.ts';

/** More than a reader goes into, so that it notices what it leaves out. */
const maxDepth = 450;

/** A page with more open elements at once would not fit into memory. */
const maxOpen = 200_000;
/** Elements and attributes of a page that stand in no tag: formats that no end tag ends go on in each block. */
const maxCopies = 300_000;
/** A tag of a cell makes the row and the group around it too. */
const maxElementsOfTag = 3;

/**
 * The elements of a page as a browser with scripts makes them, without those inside of more than `maxDepth` others. Style sheets are in
 * the tree at any depth, since their rules are for the whole page.
 *
 * @param isXml whether any element can end where it begins
 */
export function parsePage(html: string, { isXml }: { isXml: boolean }): Page {
  const parser = new PageParser(isXml);
  parser.tokenizer.write(html, true);
  // Its types are those of another version of domhandler.
  const parsed: unknown = parser.document;
  const page = parsed as Page;
  prune(page);
  return page;
}

type Page = ReturnType<typeof parseDocument>;

/** The rest is not left out instead: a style sheet in it can hide what stands before it. */
const tooMany = (): ParseFailure =>
  new ParseFailure('document_too_large', 'Too many elements of the page end nowhere. Save it as PDF and upload that.');

class PageParser extends Parser<Htmlparser2TreeAdapterMap> {
  readonly #isXml;
  readonly #budget;

  constructor(isXml: boolean) {
    const budget = { parts: maxCopies };
    super({ treeAdapter: smallTree(budget) });
    this.#isXml = isXml;
    this.#budget = budget;
  }

  override onStartTag(token: Token.TagToken): void {
    this.#budget.parts += maxElementsOfTag + token.attrs.length;
    super.onStartTag(token);
    if (this.openElements.depth > maxOpen) throw tooMany();
    if (!this.#isXml || !token.selfClosing || token.ackSelfClosing) return;
    // Its content would be text.
    this.tokenizer.state = TokenizerMode.DATA;
    this.onEndTag({ ...token, type: Token.TokenType.END_TAG, selfClosing: false, attrs: [] });
  }
}

/** Makes trees in less memory than usual: without comments, and with attributes alone. */
function smallTree(budget: { parts: number }): typeof adapter {
  let last = new Text('');
  const appendChild: typeof adapter.appendChild = (parent, node) => {
    if (isComment(node)) return;
    // An array that grows from nothing has room for 17 at once.
    if (parent.children.length > 0) adapter.appendChild(parent, node);
    else [parent.children, node.parent] = [[node], parent];
  };
  return {
    ...adapter,
    appendChild,
    createElement(name, namespace, attributes) {
      budget.parts -= 1 + attributes.length;
      if (budget.parts < 0) throw tooMany();
      const element = new Element(name, attributes.length === 0 ? noAttributes : attribsOf(attributes), []);
      element.namespace = namespace;
      return element;
    },
    adoptAttributes(element, attributes) {
      if (element.attribs === noAttributes) element.attribs = {};
      for (const { name, value } of attributes) element.attribs[name] ??= value;
    },
    insertText(parent, text) {
      const before = parent.children.at(-1);
      if (before !== undefined && isText(before)) {
        before.data += text;
        return;
      }
      // A text is kept as the parts that were added until it is looked at.
      last.data.charCodeAt(0);
      last = new Text(text);
      appendChild(parent, last);
    },
  };
}

const noAttributes: Record<string, string> = Object.freeze({});

const attribsOf = (attributes: readonly Token.Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map((attribute) => [nameOf(attribute), attribute.value]));

/** The name as it stands in the tag: the parser takes the prefix of `xlink:href` off. */
const nameOf = ({ prefix = '', name }: Token.Attribute): string => (prefix === '' ? name : `${prefix}:${name}`);

type Parent = Page | XmlElement;

/** Removes what is too deep, and gives all elements names in lower case, as readers look for them. */
function prune(root: Page): void {
  let level: Parent[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === maxDepth) for (const parent of level) parent.children = sheetsIn(parent);
    level = level.flatMap(parentsIn);
    for (const parent of level) if ('name' in parent) parent.name = parent.name.toLowerCase();
  }
}

const parentsIn = ({ children }: Parent): Parent[] => children.filter((child) => 'children' in child) as Parent[];

function sheetsIn(deepest: Parent): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = parentsIn(deepest);
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    if (!('name' in parent) || !/^(?:style|template)$/.test(parent.name)) {
      for (const child of parentsIn(parent).reverse()) waiting.push(child);
    } else if (parent.name === 'style') {
      // What is around it is looked through for each sheet.
      parent.parent = deepest;
      found.push(parent);
    }
  }
  return found;
}
