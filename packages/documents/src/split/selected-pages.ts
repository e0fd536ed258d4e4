import { openPdfFile, outOfMemory, type PdfFile } from '../pdf/file/pdf-file.ts';
import { withMemory, type Pdfium } from '../pdf/file/pdfium.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';

/** A PDF and the parts to make of it. */
export interface SelectedPages {
  /** The whole file. */
  bytes: Uint8Array;
  /** The pages of each part, counted from 1, in their new order. */
  parts: readonly (readonly number[])[];
}

/** Makes one PDF for each part, with unchanged pages, when the iterator reaches it. Throws `ParseFailure` like `openPdf`. */
export async function* selectPages({ bytes, parts }: SelectedPages): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await openPdfFile(bytes, { pages: defaultParseLimits.pages });
  const { pdfium, document } = file;
  const { call } = pdfium;
  try {
    for (const pages of parts) {
      const copy = call.FPDF_CreateNewDocument();
      const writer = call.PDFiumExt_OpenFileWriter();
      try {
        const isImported = withMemory(pdfium, pages.length * 4, (address) => {
          pdfium.integers().set(
            pages.map((page) => page - 1),
            address / 4,
          );
          return call.FPDF_ImportPagesByIndex(copy, document, address, pages.length, 0);
        });
        if (isImported === 0) throw new RangeError('The document has no such pages.');
        call.PDFiumExt_SaveAsCopy(copy, writer);
        yield written(pdfium, writer);
      } finally {
        call.PDFiumExt_CloseFileWriter(writer);
        call.FPDF_CloseDocument(copy);
      }
    }
  } finally {
    file.close();
  }
}

/** A PDF that needs a password. */
export interface LockedFile {
  /** The whole file. */
  bytes: Uint8Array;
  password: string;
}

/** Flag of `FPDF_SaveAsCopy`. */
const withoutSecurity = 3;

/** Makes the same PDF without its password. Throws `ParseFailure` like `openPdf`, and `wrong_file_password`. */
export async function* unlocked({ bytes, password }: LockedFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const limits = { pages: defaultParseLimits.pages };
  const file = await openPdfFile(bytes, limits).catch((error: unknown) => {
    if (error instanceof ParseFailure && error.code === 'password_required') return undefined;
    throw error;
  });
  if (file) {
    file.close();
    yield new Uint8Array(bytes);
  } else yield* withoutPassword(await openPdfFile(bytes, limits, password));
}

async function* withoutPassword(file: PdfFile): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { call } = file.pdfium;
  const writer = call.PDFiumExt_OpenFileWriter();
  try {
    call.FPDF_SaveAsCopy(file.document, writer, withoutSecurity);
    yield written(file.pdfium, writer);
  } finally {
    call.PDFiumExt_CloseFileWriter(writer);
    file.close();
  }
}

function written(pdfium: Pdfium, writer: number): Uint8Array<ArrayBuffer> {
  const { call } = pdfium;
  const size = call.PDFiumExt_GetFileWriterSize(writer);
  if (pdfium.isOutOfMemory() || size === 0) throw outOfMemory();
  return withMemory(pdfium, size, (address) => {
    call.PDFiumExt_GetFileWriterData(writer, address, size);
    return pdfium.bytes().slice(address, address + size);
  });
}
