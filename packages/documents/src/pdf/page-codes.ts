import { readCodes, type PageCodes } from '../machine-data/codes/read-codes.ts';
import type { Box } from '../page/box.ts';
import { readPageGeometry, type PageGeometry } from './page-geometry.ts';
import { renderPart } from './page-pictures.ts';
import { placedBy } from './page-rules.ts';
import { readBounds } from './page-surfaces.ts';
import type { PdfFile } from './file/pdf-file.ts';
import { withMemory, type Pdfium } from './file/pdfium.ts';

/** 200 dots per inch. */
const resolution = { scale: 200 / 72, maxPixels: 4_000_000 };
/** Points: a smaller picture is no code that a camera could read. */
const minCodeSize = 18;
/** Points: a larger part is no bar and no square of a code. */
const maxBar = { thickness: 8, length: 200 };
/** The shortest bar code has more bars than this. A line counts twice as much as an end of it. */
const minEnds = 40;
/** A page with more objects than this is a plan; a hostile one has millions. */
const maxObjects = 50_000;
const maxFormDepth = 8;
/** Numbers of PDFium's public headers. */
const objectTypes = { text: 1, path: 2, image: 3, form: 5 };
/** Fonts whose letters are bars. */
const barFont = /bar ?code|code[ _-]?(?:128|39|93)|ean[ _-]?(?:8|13)|3of9|i2of5|qr[ _-]?code|idautomation/iu;
/** Drawing a page at a third of the resolution shows whether the whole takes seconds. Milliseconds of processor time. */
const probe = { scale: 0.9, maxPixels: 400_000, milliseconds: 400 };
/** Points: white around a code, which its reader needs. */
const quietZone = 12;

const noCodes: PageCodes = { machineData: [], unread: [] };
const tooSlow = 'QR codes and bar codes on this page were not looked for, because drawing the page takes too long.';
const notSearched: PageCodes = { machineData: [], unread: [{ kind: 'other', message: tooSlow }] };

/** Reads the codes of a page of an open PDF, as it is displayed. Pages without pictures and drawings are not searched. */
export async function readPdfCodes(file: PdfFile, index: number): Promise<PageCodes> {
  const { pdfium } = file;
  const page = file.loadPage(index);
  if (page === 0) return noCodes;
  try {
    const geometry = readPageGeometry(pdfium, page);
    const part = partWithCodes(pdfium, page, geometry);
    if (!part) return noCodes;
    const before = process.threadCpuUsage().user;
    renderPart(pdfium, page, geometry, part, probe);
    if (process.threadCpuUsage().user - before > probe.milliseconds * 1_000) return notSearched;
    const { image, scale } = renderPart(pdfium, page, geometry, part, resolution);
    return await readCodes({ image, scale, x: part.x0, y: part.y0 });
  } finally {
    pdfium.call.FPDF_ClosePage(page);
  }
}

/** The part of a page that holds everything that can be a code: pictures, many small shapes, one shape of many corners. */
function partWithCodes(pdfium: Pdfium, page: number, geometry: PageGeometry): Box | undefined {
  const { call } = pdfium;
  const boxes: Box[] = [];
  const bars: Box[] = [];
  const fonts = new Map<number, boolean>();
  let ends = 0;
  let seen = 0;
  withMemory(pdfium, 32, (scratch) => {
    const visit = (object: number, placed: PageGeometry, depth: number): void => {
      seen += 1;
      if (seen > maxObjects) return;
      const type = call.FPDFPageObj_GetType(object);
      if (type === objectTypes.form) {
        if (depth >= maxFormDepth || call.FPDFPageObj_GetMatrix(object, scratch) === 0) return;
        const inner = placedBy(placed, pdfium.floats().subarray(scratch / 4, scratch / 4 + 6));
        const count = Math.min(maxObjects, call.FPDFFormObj_CountObjects(object));
        for (let index = 0; index < count; index += 1) {
          visit(call.FPDFFormObj_GetObject(object, index), inner, depth + 1);
        }
        return;
      }
      if (type === objectTypes.text && !isBarFont(pdfium, object, fonts)) return;
      const box = readBounds(pdfium, object, placed, scratch);
      if (!box) return;
      const [thickness, length] = [box.x1 - box.x0, box.y1 - box.y0].sort((one, other) => one - other) as [
        number,
        number,
      ];
      const corners = type === objectTypes.path ? call.FPDFPath_CountSegments(object) : 0;
      if (type === objectTypes.path && thickness < maxBar.thickness && length < maxBar.length) {
        ends += Math.min(4, corners);
        bars.push(box);
      } else if (length >= minCodeSize && (type !== objectTypes.path || corners >= minEnds)) boxes.push(box);
    };
    const count = Math.min(maxObjects, call.FPDFPage_CountObjects(page));
    for (let index = 0; index < count; index += 1) {
      visit(call.FPDFPage_GetObject(page, index), geometry, 0);
    }
  });
  return around(ends >= minEnds ? [...boxes, ...bars] : boxes, geometry);
}

function isBarFont({ call, bytes }: Pdfium, text: number, known: Map<number, boolean>): boolean {
  const font = call.FPDFTextObj_GetFont(text);
  if (font === 0) return false;
  const found = known.get(font);
  if (found !== undefined) return found;
  const size = 128;
  const address = call.malloc(size);
  const length = call.FPDFFont_GetBaseFontName(font, address, size);
  const name = Buffer.from(bytes().subarray(address, address + Math.min(size, length))).toString('latin1');
  call.free(address);
  known.set(font, barFont.test(name));
  return known.get(font)!;
}

function around(boxes: readonly Box[], { width, height }: PageGeometry): Box | undefined {
  if (boxes.length === 0) return undefined;
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  for (const box of boxes) {
    x0 = Math.min(x0, box.x0);
    y0 = Math.min(y0, box.y0);
    x1 = Math.max(x1, box.x1);
    y1 = Math.max(y1, box.y1);
  }
  return {
    x0: Math.max(0, x0 - quietZone),
    y0: Math.max(0, y0 - quietZone),
    x1: Math.min(width, x1 + quietZone),
    y1: Math.min(height, y1 + quietZone),
  };
}
