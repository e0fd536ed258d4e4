import { imageSize } from 'image-size';
import { encode } from 'jpeg-js';
import { cropImage, scaleImage, type GrayImage } from '../image/gray-image.ts';
import { pageImage } from '../ocr/page-image.ts';
import { loadTesseract } from '../ocr/tesseract/tesseract.ts';
import { readPageGeometry } from '../pdf/page-geometry.ts';
import { openPdfFile, outOfMemory } from '../pdf/file/pdf-file.ts';
import { renderPage, type PagePart } from '../pdf/render-page.ts';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

/** A page as a picture, of a type that browsers and models read. */
export interface PagePicture {
  bytes: Uint8Array;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
}

/** A request to draw one page. */
export interface PictureRequest {
  /** The whole document. */
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  /** Page number, from 1. */
  pageNumber: number;
  /** Default: the whole page. */
  part?: PagePart | undefined;
  /** Pixels of the longer side; a scan with fewer is not enlarged. */
  longestSide: number;
  maxBytes: number;
}

/** Pixels with red, green, blue and an unused byte each. */
interface Colors {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Pixels for one point: 600 dots per inch. */
const maxScale = 600 / 72;
const maxPixels = 16_000_000;
/** Qualities that are tried in turn before the picture is made smaller. */
const jpegQualities = [82, 70, 55];
/** Factor by which a picture that is too large is made smaller. */
const shrinkFactor = 0.75;
/** Types that browsers and models read, so that a scan can be sent as it is. */
const unchangedTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Draws one page. A scan that fits is not changed. Throws `ParseFailure`. */
export async function pagePicture(request: PictureRequest): Promise<PagePicture> {
  const scan = unchangedScan(request);
  if (scan) return scan;
  if (request.mimeType === 'application/pdf') return jpegOf(await drawPdf(request), request);
  const { pictures } = await pageImage(await loadTesseract(), request.bytes, request.mimeType, request.pageNumber);
  const part = cropToPart(pictures[0]!.image, request.part);
  const scale = request.longestSide / Math.max(part.width, part.height);
  return jpegOf(colored(scaleImage(part, Math.min(1, scale))), request);
}

function unchangedScan({ bytes, mimeType, part, longestSide, maxBytes }: PictureRequest): PagePicture | undefined {
  if (part !== undefined || bytes.length > maxBytes || !unchangedTypes.includes(mimeType)) return undefined;
  const { width, height, orientation = 1 } = imageSize(bytes);
  if (orientation !== 1 || Math.max(width, height) > longestSide) return undefined;
  return { bytes, mimeType: mimeType as PagePicture['mimeType'], width, height };
}

async function drawPdf({ bytes, pageNumber, part, longestSide }: PictureRequest): Promise<Colors> {
  const file = await openPdfFile(bytes, { pages: Infinity });
  const { pdfium, document } = file;
  const page = pdfium.call.FPDF_LoadPage(document, pageNumber - 1);
  if (page === 0) {
    file.close();
    throw new ParseFailure('damaged_page', 'This page is damaged and cannot be drawn.');
  }
  const geometry = readPageGeometry(pdfium, page);
  const { x0, y0, x1, y1 } = part ?? { x0: 0, y0: 0, x1: 1, y1: 1 };
  const longest = Math.max(geometry.width * (x1 - x0), geometry.height * (y1 - y0));
  const resolution = { scale: Math.min(maxScale, longestSide / longest), maxPixels };
  const { pixels, width, height } = renderPage(pdfium, page, geometry, resolution, part);
  pdfium.call.FPDF_ClosePage(page);
  if (pdfium.isOutOfMemory()) throw outOfMemory();
  file.close();
  for (let at = 0; at < pixels.length; at += 4) {
    [pixels[at], pixels[at + 2]] = [pixels[at + 2]!, pixels[at]!];
    pixels[at + 3] = 255;
  }
  return { data: pixels, width, height };
}

function cropToPart(image: GrayImage, part: PagePart | undefined): GrayImage {
  if (part === undefined) return image;
  const { width, height } = image;
  return cropImage(image, { x0: part.x0 * width, y0: part.y0 * height, x1: part.x1 * width, y1: part.y1 * height });
}

function colored({ pixels, width, height }: GrayImage): Colors {
  const data = new Uint8Array(pixels.length * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 1) data.fill(pixels[at]!, at * 4, at * 4 + 3);
  return { data, width, height };
}

/** A JPEG of the best quality that fits. If none does, the picture is made smaller. */
function jpegOf(colors: Colors, { maxBytes }: PictureRequest): PagePicture {
  for (let drawn = colors; ; drawn = smaller(drawn)) {
    const { width, height } = drawn;
    for (const quality of jpegQualities) {
      const bytes = encode(drawn, quality).data;
      if (bytes.length <= maxBytes) return { bytes: new Uint8Array(bytes), mimeType: 'image/jpeg', width, height };
    }
  }
}

function smaller({ data, width, height }: Colors): Colors {
  const planes = [0, 1, 2].map((plane) => {
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = data[at * 4 + plane]!;
    return scaleImage({ pixels, width, height }, shrinkFactor);
  });
  const [first] = planes as [GrayImage, GrayImage, GrayImage];
  const scaled = new Uint8Array(first.pixels.length * 4).fill(255);
  for (const [plane, { pixels }] of planes.entries()) {
    for (let at = 0; at < pixels.length; at += 1) scaled[at * 4 + plane] = pixels[at]!;
  }
  return { data: scaled, width: first.width, height: first.height };
}
