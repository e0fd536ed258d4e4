import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { PageSize } from './zoom.ts';

type Pdf = Pick<PDFDocumentProxy, 'numPages'> & {
  getPage(number: number): Promise<{ getViewport(options: { scale: number }): PageSize }>;
  loadingTask: { destroyed: boolean };
};

/** A4 in points, for a first page that cannot be loaded. */
const a4: PageSize = { width: 595, height: 842 };

/**
 * Reports the sizes of all pages in points, with rotation and crop applied. Most documents have pages of one size: all
 * pages get the size of the first one at once, and are reported again if others differ. A page that cannot be loaded
 * gets the size of the first one. Stops when the document is closed.
 *
 * @example
 * ```ts
 * await readPageSizes(pdf, (sizes) => console.log(sizes[0].width));
 * ```
 */
export async function readPageSizes(pdf: Pdf, report: (sizes: PageSize[]) => void): Promise<void> {
  const sizeOf = async (number: number, fallback: PageSize): Promise<PageSize> => {
    try {
      const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
      return { width, height };
    } catch {
      return fallback;
    }
  };
  const first = await sizeOf(1, a4);
  if (pdf.loadingTask.destroyed) return;
  report(Array.from({ length: pdf.numPages }, () => first));
  const sizes = [first];
  while (sizes.length < pdf.numPages && !pdf.loadingTask.destroyed) sizes.push(await sizeOf(sizes.length + 1, first));
  if (pdf.loadingTask.destroyed) return;
  if (sizes.some((size) => size.width !== first.width || size.height !== first.height)) report(sizes);
}
