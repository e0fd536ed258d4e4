/**
 * What the pages of a document are called: workbooks have sheets, presentations slides.
 *
 * @example
 * ```ts
 * import { pageUnit } from '@docwright/contract';
 *
 * console.log(pageUnit('application/vnd.oasis.opendocument.spreadsheet'), pageUnit('application/pdf')); // sheet page
 * ```
 */
export function pageUnit(mimeType: string): 'page' | 'sheet' | 'slide' {
  if (mimeType.includes('spreadsheet') || mimeType === 'application/vnd.ms-excel') return 'sheet';
  return mimeType.includes('presentation') ? 'slide' : 'page';
}
