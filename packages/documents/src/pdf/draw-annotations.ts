import type { PdfFile } from './file/pdf-file.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';

/** Usage and result of PDFium's `FPDFPage_Flatten`, which makes the drawings of annotations part of the page. */
const asDisplayed = 0;
const flattened = 1;
/** Objects of a page that are compared. */
const maxCompared = 500;
const intBytes = 4;

/**
 * Makes the drawings of annotations part of a loaded page, and loads it again; 0 if that fails.
 *
 * PDFium gives the page resources for the drawings. A page that had none of its own, because those of the page tree hold for it, then
 * lacks the fonts and the pictures of its own content. Its copy in a file of its own has them, and `file` reads that from now on. The
 * copy knows no layers: a file that has them is read without the drawings instead.
 */
export function drawAnnotations(file: PdfFile, page: number, index: number): number {
  const { call } = file.pdfium;
  const before = objectsOf(file.pdfium, page);
  const copy = copyPage(file, index);
  const flatten = (loaded: number): boolean => call.FPDFPage_Flatten(loaded, asDisplayed) === flattened;
  if (!flatten(page)) {
    closeDocument(file, copy);
    return page;
  }
  call.FPDF_ClosePage(page);
  const drawn = file.loadPage(index);
  const after = drawn === 0 ? [] : objectsOf(file.pdfium, drawn);
  if (copy === 0 || (drawn !== 0 && before.every((object, at) => object === after[at]))) {
    closeDocument(file, copy);
    return drawn;
  }
  if (drawn !== 0) call.FPDF_ClosePage(drawn);
  const hasLayers = file.hasLayers();
  if (hasLayers) closeDocument(file, copy);
  file.replacePage(index, hasLayers ? undefined : copy);
  const whole = file.loadPage(index);
  if (whole === 0 || hasLayers || !flatten(whole)) return whole;
  call.FPDF_ClosePage(whole);
  return file.loadPage(index);
}

/** The kinds and places of the first objects of a page. Text in another font has another width. */
function objectsOf(pdfium: Pdfium, page: number): string[] {
  const { call } = pdfium;
  const count = Math.min(maxCompared, Math.max(0, call.FPDFPage_CountObjects(page)));
  return withMemory(pdfium, 4 * intBytes, (scratch) =>
    Array.from({ length: count }, (_, index) => {
      const object = call.FPDFPage_GetObject(page, index);
      const places = [0, 1, 2, 3].map((at) => scratch + at * intBytes) as [number, number, number, number];
      if (call.FPDFPageObj_GetBounds(object, ...places) === 0) return '';
      const bounds = pdfium.floats().subarray(scratch / intBytes, scratch / intBytes + 4);
      return [call.FPDFPageObj_GetType(object), ...Array.from(bounds, (place) => place.toFixed(1))].join(' ');
    }),
  );
}

/** A file of one page, which has what the page tree says of it as its own. 0 if PDFium cannot make it. */
function copyPage({ pdfium, document }: PdfFile, index: number): number {
  const { call } = pdfium;
  const copy = call.FPDF_CreateNewDocument();
  if (copy === 0) return 0;
  const isCopied = withMemory(pdfium, intBytes, (scratch) => {
    pdfium.integers()[scratch / intBytes] = index;
    return call.FPDF_ImportPagesByIndex(copy, document, scratch, 1, 0) !== 0;
  });
  if (isCopied) return copy;
  call.FPDF_CloseDocument(copy);
  return 0;
}

function closeDocument({ pdfium }: PdfFile, document: number): void {
  if (document !== 0) pdfium.call.FPDF_CloseDocument(document);
}
