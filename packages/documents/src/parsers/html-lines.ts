import { convert, type FormatCallback } from 'html-to-text';
import { GRID_COLUMNS } from '../grid/grid-pages.ts';

const DEEPEST_NESTING = 200;
const WIDEST_CELL = 40;

/** Elements that a browser does not show, by attribute or inline style. */
const hiddenSelectors = [
  '[hidden]',
  'template',
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="visibility:hidden"]',
  '[style*="visibility: hidden"]',
  '[style*="font-size:0"]',
  '[style*="font-size: 0"]',
];

/** The visible text of an HTML page, in lines, and the count of characters that a browser does not show. */
export function htmlLines(html: string): { lines: string[]; hiddenText: number } {
  let hiddenText = 0;
  const countHidden: FormatCallback = (element) => {
    hiddenText += textLength(element);
  };
  const text = convert(html, {
    wordwrap: GRID_COLUMNS,
    limits: { maxDepth: DEEPEST_NESTING },
    formatters: { countHidden },
    selectors: [
      ...hiddenSelectors.map((selector) => ({ selector, format: 'countHidden' })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: WIDEST_CELL } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  return { lines: text.split('\n'), hiddenText };
}

interface MarkupNode {
  type?: string | undefined;
  data?: string | undefined;
  children?: MarkupNode[] | undefined;
}

function textLength(node: MarkupNode): number {
  const own = node.type === 'text' ? (node.data ?? '').replace(/\s/g, '').length : 0;
  return (node.children ?? []).reduce((sum, child) => sum + textLength(child), own);
}
