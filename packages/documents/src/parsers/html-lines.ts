import { convert } from 'html-to-text';
import { DomUtils, parseDocument } from 'htmlparser2';
import { gridColumns } from '../grid/grid-pages.ts';

const maxNesting = 200;
const maxCellWidth = 40;

/** The visible text of an HTML page, in lines, and the number of hidden characters. */
export function htmlLines(html: string): { lines: string[]; hiddenText: number } {
  const visible = removeHidden(html);
  const text = convert(visible.html, {
    wordwrap: gridColumns,
    limits: { maxDepth: maxNesting },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      {
        selector: 'table',
        format: 'dataTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: maxCellWidth },
      },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  return { lines: text.split('\n').map((line) => line.trimEnd()), hiddenText: visible.hiddenText };
}

type MarkupDocument = ReturnType<typeof parseDocument>;
type MarkupElement = Parameters<typeof DomUtils.getAttributeValue>[0];

const hiding =
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:!important\s*)?(?:[;}]|$))/i;
const white = /(?:^|[;{\s])color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))/i;
/** A tag, class or id alone, or a tag with one of them: the usual selectors of hidden elements. */
const simpleSelector = /^(?<tag>[a-z][a-z0-9]*)?(?:(?<kind>[.#])(?<name>[\w-]+))?$/i;

/** Removes the elements that a browser does not show. Returns the page and the number of removed characters. */
function removeHidden(html: string): { html: string; hiddenText: number } {
  const page = parseDocument(html);
  // On a page without any background, white text is on white.
  const hides = /background|bgcolor/i.test(html)
    ? (style: string): boolean => hiding.test(style)
    : (style: string): boolean => hiding.test(style) || white.test(style);
  const rules = hidingRules(page, hides);
  let hiddenText = 0;
  const hidden = DomUtils.findAll((element) => isHidden(element, hides, rules), page.children);
  for (const element of hidden) {
    hiddenText += DomUtils.innerText(element).replace(/\s/g, '').length;
    DomUtils.removeElement(element);
  }
  return { html: DomUtils.getOuterHTML(page), hiddenText };
}

function isHidden(
  element: MarkupElement,
  hides: (style: string) => boolean,
  rules: readonly ((element: MarkupElement) => boolean)[],
): boolean {
  const { name, attribs } = element;
  if (name === 'template' || attribs['hidden'] !== undefined || hides(attribs['style'] ?? '')) return true;
  return rules.some((matches) => matches(element));
}

/** The selectors that the page's own style sheets hide. */
function hidingRules(
  page: MarkupDocument,
  hides: (style: string) => boolean,
): readonly ((element: MarkupElement) => boolean)[] {
  const sheets = DomUtils.getElementsByTagName('style', page, true).map((sheet) => DomUtils.textContent(sheet));
  return sheets
    .flatMap((sheet) => [...sheet.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)])
    .filter(([, , declarations = '']) => hides(declarations))
    .flatMap(([, selectors = '']) => selectors.split(','))
    .map((selector) => simpleSelector.exec(selector.trim())?.groups)
    .filter((parts) => parts !== undefined)
    .map(({ tag, kind, name }) => (element: MarkupElement): boolean => {
      if (tag !== undefined && element.name !== tag.toLowerCase()) return false;
      if (name === undefined) return tag !== undefined;
      const names = element.attribs[kind === '#' ? 'id' : 'class'] ?? '';
      return names.split(/\s+/).includes(name);
    });
}
