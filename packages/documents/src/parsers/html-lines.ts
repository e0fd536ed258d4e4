import { convert } from 'html-to-text';
import { GRID_COLUMNS } from '../grid/grid-pages.ts';
import { removeHidden } from './remove-hidden.ts';

const DEEPEST_NESTING = 200;
const WIDEST_CELL = 40;

/** The visible text of an HTML page, in lines, and the number of hidden characters. */
export function htmlLines(html: string): { lines: string[]; hiddenText: number } {
  const visible = removeHidden(html);
  const text = convert(visible.html, {
    wordwrap: GRID_COLUMNS,
    limits: { maxDepth: DEEPEST_NESTING },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: WIDEST_CELL } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  return { lines: text.split('\n').map((line) => line.trimEnd()), hiddenText: visible.hiddenText };
}
