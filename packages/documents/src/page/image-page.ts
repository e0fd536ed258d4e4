import type { Page } from './page.ts';

/** A picture as a page: a pixel is a point, because the resolution in picture files is seldom right. */
export function imagePage(page_num: number, width: number, height: number): Page {
  return { page_num, width, height, text: '', words: [], hidden_text: 0, needs_ocr: true };
}
