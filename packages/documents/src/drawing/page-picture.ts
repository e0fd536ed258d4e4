import { imageSize } from 'image-size';
import { encode } from 'jpeg-js';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import { pageImage } from '../ocr/page-image.ts';
import { scaleImage, type GrayImage } from '../image/gray-image.ts';
import { loadTesseract } from '../ocr/tesseract/tesseract.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import { readPageGeometry } from '../pdf/page-geometry.ts';
import { openPdfFile, outOfMemory } from '../pdf/pdf-file.ts';
import { renderPage, type PagePart } from '../pdf/render-page.ts';

/** A page as a picture, in a form that browsers and models take. */
export interface PagePicture {
  bytes: Uint8Array;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
}

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

/** Pixels for one point, at most: 600 dots an inch. */
const FINEST = 600 / 72;
const MAX_PIXELS = 16_000_000;
/** The qualities of JPEG that are tried in turn before the picture is made smaller. */
const QUALITIES = [82, 70, 55];
const SMALLER = 0.75;
const SENT_AS_THEY_ARE: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Draws one page. A scan that fits is not changed. Throws `ParseFailure`. */
export async function pagePicture(request: PictureRequest): Promise<PagePicture> {
  const asItIs = unchanged(request);
  if (asItIs) return asItIs;
  if (request.mimeType === 'application/pdf') return jpegOf(await drawPdf(request), request);
  const { image } = await pageImage(await loadTesseract(), request.bytes, request.mimeType, request.pageNumber);
  const part = cropped(image, request.part);
  const scale = request.longestSide / Math.max(part.width, part.height);
  return jpegOf(colored(scaleImage(part, Math.min(1, scale))), request);
}

function unchanged({ bytes, mimeType, part, longestSide, maxBytes }: PictureRequest): PagePicture | undefined {
  if (part !== undefined || bytes.length > maxBytes || !SENT_AS_THEY_ARE.includes(mimeType)) return undefined;
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
  const fineness = { scale: Math.min(FINEST, longestSide / longest), maxPixels: MAX_PIXELS };
  const { pixels, width, height } = renderPage(pdfium, page, geometry, fineness, part);
  pdfium.call.FPDF_ClosePage(page);
  if (pdfium.isOutOfMemory()) throw outOfMemory();
  file.close();
  for (let at = 0; at < pixels.length; at += 4) {
    [pixels[at], pixels[at + 2]] = [pixels[at + 2]!, pixels[at]!];
    pixels[at + 3] = 255;
  }
  return { data: pixels, width, height };
}

function cropped(image: GrayImage, part: PagePart | undefined): GrayImage {
  if (part === undefined) return image;
  const left = Math.floor(part.x0 * image.width);
  const top = Math.floor(part.y0 * image.height);
  const width = Math.max(1, Math.ceil(part.x1 * image.width) - left);
  const height = Math.max(1, Math.ceil(part.y1 * image.height) - top);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (top + row) * image.width + left;
    pixels.set(image.pixels.subarray(start, start + width), row * width);
  }
  return { pixels, width, height };
}

function colored({ pixels, width, height }: GrayImage): Colors {
  const data = new Uint8Array(pixels.length * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 1) data.fill(pixels[at]!, at * 4, at * 4 + 3);
  return { data, width, height };
}

/** The best quality that fits; if none does, the image is scaled down. */
function jpegOf(colors: Colors, { maxBytes }: PictureRequest): PagePicture {
  for (let drawn = colors; ; drawn = smaller(drawn)) {
    const { width, height } = drawn;
    for (const quality of QUALITIES) {
      const bytes = encode(drawn, quality).data;
      if (bytes.length <= maxBytes) return { bytes: new Uint8Array(bytes), mimeType: 'image/jpeg', width, height };
    }
  }
}

function smaller({ data, width, height }: Colors): Colors {
  const planes = [0, 1, 2].map((plane) => {
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = data[at * 4 + plane]!;
    return scaleImage({ pixels, width, height }, SMALLER);
  });
  const [first] = planes as [GrayImage, GrayImage, GrayImage];
  const scaled = new Uint8Array(first.pixels.length * 4).fill(255);
  for (const [plane, { pixels }] of planes.entries()) {
    for (let at = 0; at < pixels.length; at += 1) scaled[at * 4 + plane] = pixels[at]!;
  }
  return { data: scaled, width: first.width, height: first.height };
}
