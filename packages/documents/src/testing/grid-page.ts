import { gridPage } from '../grid/grid-pages.ts';
import type { Page } from '../page/page.ts';

/** A page of text in a fixed-width font. */
export function pageOf(text: string, page_num = 1): Page {
  return gridPage(text.split('\n'), page_num, 0);
}
