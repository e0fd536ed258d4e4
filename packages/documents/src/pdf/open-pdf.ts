import type { Page } from '../page/page.ts';
import type { DocumentReader, OpenedDocument } from '../reader/document-reader.ts';
import { openPdfFile, outOfMemory, type PdfFile } from './pdf-file.ts';
import { readPage } from './read-page.ts';

/** Opens a PDF; throws `password_required`, `unsupported_encryption`, `damaged_file` or `too_many_pages`. */
export const openPdf: DocumentReader = async (bytes, limits): Promise<OpenedDocument> => {
  const file = await openPdfFile(bytes, limits);
  return { pageCount: file.pageCount, pages: readPages(file) };
};

function* readPages(file: PdfFile): Generator<Page> {
  let isAborted = false;
  try {
    for (let index = 0; index < file.pageCount; index += 1) {
      const page = readPage(file, index);
      if (file.pdfium.isOutOfMemory()) throw outOfMemory();
      yield page;
    }
  } catch (error) {
    isAborted = true;
    throw file.pdfium.isOutOfMemory() ? outOfMemory() : error;
  } finally {
    if (!isAborted) file.close();
  }
}
