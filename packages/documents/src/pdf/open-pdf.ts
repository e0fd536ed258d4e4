import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { DocumentReader, OpenedDocument } from '../reader/document-reader.ts';
import { openPdfFile, outOfMemory, type PdfFile } from './pdf-file.ts';
import { readWideString } from './pdfium.ts';
import { readPage } from './read-page.ts';

/** Opens a PDF; throws `password_required`, `unsupported_encryption`, `damaged_file` or `too_many_pages`. */
export const openPdf: DocumentReader = async (bytes, limits): Promise<OpenedDocument> => {
  const file = await openPdfFile(bytes, limits);
  return { pageCount: file.pageCount, pages: readPages(file), unread: unreadParts(file) };
};

/** PDFium's number for a form that a viewer computes, and whose pages say only that it needs another viewer. */
const dynamicForm = 2;
/** A hostile file has any number of them. */
const maxNamedFiles = 100;

/** What the file has beside its pages. */
function unreadParts({ pdfium, document }: PdfFile): UnreadPart[] {
  const { call } = pdfium;
  const isDynamic = call.FPDF_GetFormType(document) === dynamicForm;
  const form: UnreadPart[] = isDynamic ? [{ kind: 'dynamic_form', message: unreadForm }] : [];
  const count = Math.min(maxNamedFiles, Math.max(0, call.FPDFDoc_GetAttachmentCount(document)));
  const files = Array.from({ length: count }, (_, index): UnreadPart => {
    const file = call.FPDFDoc_GetAttachment(document, index);
    const name =
      file === 0 ? '' : readWideString(pdfium, (buffer, size) => call.FPDFAttachment_GetName(file, buffer, size));
    return { kind: 'embedded_file', ...(name === '' ? {} : { name }), message: unreadFile };
  });
  return [...form, ...files];
}

const unreadForm =
  'The PDF is a dynamic form (XFA), whose fields are not on its pages. Open it, print it to a new PDF and upload that.';
const unreadFile =
  'A file inside of this PDF was not read. Save it from the PDF and upload it as a document of its own.';

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
