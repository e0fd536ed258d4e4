import { decode } from 'tiff';
import { imagePage } from '../page/image-page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

/** A TIFF file: each of its pictures is one page for OCR. */
export const openTiff: DocumentReader = (bytes, limits) => {
  const pictures = decode(bytes, { ignoreImageData: true });
  if (pictures.length > limits.pages) {
    throw new ParseFailure(
      'too_many_pages',
      `The TIFF has ${pictures.length} pages; the limit is ${limits.pages}. Split it and upload the parts.`,
    );
  }
  const pages = pictures.map((picture, index) => imagePage(index + 1, picture.width, picture.height));
  return Promise.resolve({ pageCount: pages.length, pages });
};
