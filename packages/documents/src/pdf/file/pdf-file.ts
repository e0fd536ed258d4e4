import { ParseFailure } from '../../reader/parse-failure.ts';
import type { ParseLimits } from '../../reader/parse-limits.ts';
import { leaveOutHugePictures } from './huge-pictures.ts';
import { hasName } from './packed-text.ts';
import { loadPdfium } from './pdfium.ts';

/** An open PDF of this thread. */
export type PdfFile = Awaited<ReturnType<typeof openPdfFile>>;

/** Codes of `FPDF_GetLastError`. */
const passwordError = 4;
const securityError = 5;
const layers = /\/OCProperties\b/;

/** Opens a PDF; throws `password_required`, `unsupported_encryption`, `damaged_file` or `too_many_pages`. */
export async function openPdfFile(bytes: Uint8Array, limits: Pick<ParseLimits, 'pages'>, password = '') {
  const pdfium = await loadPdfium();
  const { call } = pdfium;
  const terminated = Buffer.from(`${password}\0`);
  const address = call.malloc(bytes.length + terminated.length);
  if (address === 0) throw outOfMemory();
  pdfium.bytes().set(bytes, address);
  // The password follows the file.
  pdfium.bytes().set(terminated, address + bytes.length);
  const document = call.FPDF_LoadMemDocument(address, bytes.length, address + bytes.length);
  const close = (): void => {
    if (document !== 0) call.FPDF_CloseDocument(document);
    pdfium.bytes().fill(0, address + bytes.length, address + bytes.length + terminated.length);
    call.free(address);
  };
  try {
    if (document === 0) throw openError(call.FPDF_GetLastError(), password !== '');
    const pageCount = call.FPDF_GetPageCount(document);
    if (pageCount < 1) throw damaged();
    if (pageCount > limits.pages) {
      throw new ParseFailure(
        'too_many_pages',
        `The PDF has ${pageCount} pages; the limit is ${limits.pages}. Split it and upload the parts.`,
      );
    }
    const formInfo = call.PDFiumExt_OpenFormFillInfo();
    const form = call.PDFiumExt_InitFormFillEnvironment(document, formInfo);
    let copy: { index: number; document: number; at: number } | undefined;
    let isLayered: boolean | undefined;
    const closeCopy = (): void => {
      if (copy && copy.document !== 0) call.FPDF_CloseDocument(copy.document);
      copy = undefined;
    };
    return {
      pdfium,
      /** The address of the document in PDFium's memory. */
      document,
      /** The address of its form environment. */
      form,
      pageCount,
      /**
       * Loads a page, or the copy that replaces it, without its huge pictures; masks of pictures and pictures in patterns stay. 0 if it
       * is damaged.
       */
      loadPage: (index: number): number => {
        const isCopy = copy?.index === index;
        const page = isCopy ? call.FPDF_LoadPage(copy!.document, copy!.at) : call.FPDF_LoadPage(document, index);
        if (page !== 0) leaveOutHugePictures(pdfium, page);
        return page;
      },
      /**
       * Replaces a page by the only page of another document, by default by that of the file as it was, until another page is
       * replaced. No page of the former copy may be open.
       */
      replacePage: (index: number, other?: number): void => {
        closeCopy();
        const unchanged = (): number => call.FPDF_LoadMemDocument(address, bytes.length, address + bytes.length);
        copy = other === undefined ? { index, document: unchanged(), at: index } : { index, document: other, at: 0 };
      },
      /** Whether parts of its pages can be switched off. */
      hasLayers: (): boolean => (isLayered ??= hasName(bytes, layers)),
      /** Must not be called after PDFium has run out of memory: it cannot clean up then, and its thread ends. */
      close: () => {
        closeCopy();
        call.PDFiumExt_ExitFormFillEnvironment(form);
        call.PDFiumExt_CloseFormFillInfo(formInfo);
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

function openError(code: number, hasPassword: boolean): ParseFailure {
  if (code === passwordError && hasPassword) {
    return new ParseFailure('wrong_file_password', 'This is not the password of the PDF. Check it and send it again.');
  }
  if (code === passwordError) {
    return new ParseFailure(
      'password_required',
      'The PDF is protected with a password. Enter it, or save a copy without one and upload that.',
    );
  }
  if (code === securityError) {
    return new ParseFailure(
      'unsupported_encryption',
      'The PDF is encrypted in a way that cannot be read. Open it, print it to a new PDF and upload that.',
    );
  }
  return damaged();
}

function damaged(): ParseFailure {
  return new ParseFailure(
    'damaged_file',
    'The PDF is damaged or incomplete. Open it where it was made, save it again and upload the new file.',
  );
}

/** PDFium needs more memory than the limit. */
export function outOfMemory(): ParseFailure {
  return new ParseFailure(
    'parse_out_of_memory',
    'The document needs more memory than the limit for one document. Split it and upload the parts.',
  );
}
