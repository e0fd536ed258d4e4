import { gridPage } from '../grid/grid-pages.ts';
import type { Page } from '../page/page.ts';

/** A page with its words at their positions in the text. */
export function pageOf(text: string, page_num = 1): Page {
  return gridPage(text.split('\n'), page_num, 0);
}
