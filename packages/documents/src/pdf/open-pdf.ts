import type { MachineData } from '@docwright/contract';
import { readInvoiceXml } from '../machine-data/invoice/invoice-xml.ts';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { DocumentReader, OpenedDocument } from '../reader/document-reader.ts';
import { decodeHtml } from '../parsers/html/decode-html.ts';
import { attachedName, unreadFile } from './form-fields.ts';
import { readPdfCodes } from './page-codes.ts';
import { openPdfFile, outOfMemory, type PdfFile } from './file/pdf-file.ts';
import { hasName } from './file/packed-text.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';
import { readPage } from './read-page.ts';

/** Opens a PDF; throws `password_required`, `unsupported_encryption` or `damaged_file`. */
export const openPdf: DocumentReader = async (bytes): Promise<OpenedDocument> => {
  const file = await openPdfFile(bytes, { pages: Infinity });
  const beside = partsBeside(file, bytes);
  const codesOf = (pageNumber: number) => readPdfCodes(file, pageNumber - 1);
  return { pageCount: file.pageCount, pages: readPages(file), codesOf, ...beside };
};

/** PDFium's number for a form that a viewer computes, and whose pages say only that it needs another viewer. */
const dynamicForm = 2;
/** A hostile file has any number of them. */
const maxNamedFiles = 100;
const maxXmlBytes = 20_000_000;

/** What the file has beside its pages. An electronic invoice is read. */
function partsBeside({ pdfium, document }: PdfFile, bytes: Uint8Array): Pick<OpenedDocument, 'unread' | 'machineData'> {
  const { call } = pdfium;
  const isDynamic = call.FPDF_GetFormType(document) === dynamicForm;
  const form: UnreadPart[] = isDynamic ? [{ kind: 'dynamic_form', message: unreadForm }] : [];
  const count = Math.min(maxNamedFiles, Math.max(0, call.FPDFDoc_GetAttachmentCount(document)));
  const machineData: MachineData[] = [];
  const files = Array.from({ length: count }, (_, index): UnreadPart[] => {
    const file = call.FPDFDoc_GetAttachment(document, index);
    const name = file === 0 ? '' : attachedName(pdfium, file);
    const bytes = /\.xml$/iu.test(name) ? contentOf(pdfium, file) : undefined;
    const invoices = bytes ? readInvoiceXml(decodeHtml(bytes)) : [];
    machineData.push(...invoices);
    return invoices.length > 0
      ? []
      : [{ kind: 'embedded_file', ...(name === '' ? {} : { name }), message: unreadFile }];
  });
  const unread = [...form, ...files.flat()];
  if (files.length > 0 && hasName(bytes, collection)) unread.unshift({ kind: 'portfolio', message: unreadPortfolio });
  return { unread, machineData };
}

/** The PDF is a cover of the files in it. */
const collection = /\/Collection\b/;

const unreadPortfolio =
  'The PDF is a portfolio: its pages are a cover, and what it holds are files. Save them from it and upload them as documents of their own.';

/** The bytes of a file in the PDF; undefined if it is empty, damaged or too large. */
function contentOf(pdfium: Pdfium, file: number): Uint8Array | undefined {
  const { call } = pdfium;
  return withMemory(pdfium, 4, (sizeAt) => {
    if (call.FPDFAttachment_GetFile(file, 0, 0, sizeAt) === 0) return undefined;
    const size = pdfium.integers()[sizeAt / 4]!;
    if (size === 0 || size > maxXmlBytes) return undefined;
    return withMemory(pdfium, size, (buffer) =>
      call.FPDFAttachment_GetFile(file, buffer, size, sizeAt) === 0
        ? undefined
        : pdfium.bytes().slice(buffer, buffer + size),
    );
  });
}

const unreadForm =
  'The PDF is a dynamic form (XFA), whose fields are not on its pages. Open it, print it to a new PDF and upload that.';

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
