import { decodeAvif } from '../image/avif/decode-avif.ts';
import { decodeTiff } from '../image/tiff/decode-tiff.ts';
import { readCodes, type PageCodes, type PlacedImage } from '../machine-data/codes/read-codes.ts';
import type { Box } from '../page/box.ts';
import { imagePage } from '../page/image-page.ts';
import { readPdfCodes } from '../pdf/page-codes.ts';
import { readPageGeometry } from '../pdf/page-geometry.ts';
import { openPdfFile, outOfMemory } from '../pdf/file/pdf-file.ts';
import { hideText, maxPictures, renderPart } from '../pdf/page-pictures.ts';
import { readPageContent, type PageContent } from '../pdf/read-page.ts';
import { readerOf } from '../parsing/reader-of.ts';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import { ParseFailure } from '../reader/parse-failure.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { decodeImage, exifOrientation, scaleToUse, type DecodedImage } from './tesseract/decode-image.ts';
import type { Tesseract } from './tesseract/tesseract.ts';
import { drawSample, type WordSample } from './word-sample.ts';

/** A page with its pictures, and the words of its text layer. */
export interface PicturedPage extends Pick<PageContent, 'page' | 'words' | 'rules'> {
  pictures: PlacedImage[];
  /** Pictures that are not read, because the page has too many. */
  skipped: Box[];
  /** What the codes of the page say. */
  codes: PageCodes;
  /** Words of the text layer that may not be what the page shows. */
  sample?: WordSample;
}

/** 300 dots per inch, as recommended for scans; a page larger than paper gets fewer. */
const renderResolution = { scale: 300 / 72, maxPixels: 12_000_000 };

/**
 * The picture of one page of a document; page numbers count from 1. With `isLayerWrong` the text layer of a PDF is not used. Throws
 * `ParseFailure`.
 */
export async function pageImage(
  tesseract: Tesseract,
  bytes: Uint8Array,
  mimeType: DocumentMimeType,
  pageNumber: number,
  isLayerWrong = false,
): Promise<PicturedPage> {
  if (mimeType === 'application/pdf') return await pdfPageImage(bytes, pageNumber, isLayerWrong);
  if (mimeType === 'image/tiff') {
    const decoded = await decodeTiff(bytes, pageNumber - 1);
    if (decoded) return await picturePage(pageNumber, scaleToUse(decoded));
  }
  if (mimeType === 'image/avif') return await picturePage(pageNumber, scaleToUse(await decodeAvif(bytes)));
  const picture = await pictureOfPage(bytes, mimeType, pageNumber);
  if (!picture) throw damagedPage();
  const orientation = mimeType === 'image/tiff' ? 1 : exifOrientation(picture);
  return await picturePage(pageNumber, decodeImage(tesseract, picture, orientation));
}

/** A picture is a page of its own. */
async function picturePage(pageNumber: number, { image, scale }: DecodedImage): Promise<PicturedPage> {
  const picture = { image, scale, x: 0, y: 0 };
  const page = imagePage(pageNumber, Math.round(image.width / scale), Math.round(image.height / scale));
  return { page, words: [], rules: [], pictures: [picture], skipped: [], codes: await readCodes(picture) };
}

/** The bytes of the picture that is a page: the file itself, one of its pictures, or one inside of a text. */
async function pictureOfPage(
  bytes: Uint8Array,
  mimeType: DocumentMimeType,
  pageNumber: number,
): Promise<Uint8Array | undefined> {
  if (mimeType === 'image/tiff') return tiffPicture(bytes, pageNumber - 1);
  if (mimeType.startsWith('image/')) return bytes;
  const open = await readerOf(mimeType);
  return (await open(bytes, defaultParseLimits)).pictureOf?.(pageNumber);
}

async function pdfPageImage(bytes: Uint8Array, pageNumber: number, isLayerWrong: boolean): Promise<PicturedPage> {
  const file = await openPdfFile(bytes, { pages: Infinity });
  const { pdfium } = file;
  const content = readPageContent(file, pageNumber - 1, isLayerWrong);
  const { page, words, rules, pictures, isSetAside, doubtful } = content;
  const codes = await readPdfCodes(file, pageNumber - 1);
  const address = file.loadPage(pageNumber - 1);
  if (address === 0) {
    file.close();
    throw damagedPage();
  }
  const geometry = readPageGeometry(pdfium, address);
  const sample = doubtful.length > 0 && { sample: drawSample(pdfium, address, geometry, doubtful) };
  if (!isSetAside) hideText(pdfium, address);
  const found = pictures.slice(0, maxPictures).map((picture): PlacedImage => {
    return { ...renderPart(pdfium, address, geometry, picture, renderResolution), x: picture.x0, y: picture.y0 };
  });
  pdfium.call.FPDF_ClosePage(address);
  if (pdfium.isOutOfMemory()) throw outOfMemory();
  file.close();
  return { page, words, rules, pictures: found, skipped: pictures.slice(maxPictures), codes, ...sample };
}

function damagedPage(): ParseFailure {
  return new ParseFailure(
    'damaged_page',
    'This page is damaged. Open the document where it was made, save it again and upload the new file.',
  );
}

/** Size of an entry of a TIFF directory. */
const entryBytes = 12;

/**
 * A copy of a TIFF file that starts with the given picture, for decoders that read the first one alone. Only the address of
 * the first directory in the header is changed. Undefined if the file does not have the picture.
 */
function tiffPicture(bytes: Uint8Array, index: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  let directory = view.getUint32(4, isLittle);
  for (let skipped = 0; ; skipped += 1) {
    if (directory === 0 || directory + 2 > bytes.length) return undefined;
    const entries = view.getUint16(directory, isLittle);
    const end = directory + 2 + entries * entryBytes;
    if (end + 4 > bytes.length) return undefined;
    if (skipped === index) {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(4, directory, isLittle);
      return copy;
    }
    directory = view.getUint32(end, isLittle);
  }
}
