import type { Page } from '../page.ts';

/** A picture as a page: a pixel is a point, for pictures seldom say truthfully how large they are. */
export function imagePage(page_num: number, width: number, height: number): Page {
  return { page_num, width, height, text: '', words: [], hidden_text: 0, needs_ocr: true };
}
