import { decode } from 'tiff';
import { imagePage } from '../page/image-page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

/** A TIFF file: each of its pictures is one page for OCR. */
export const openTiff: DocumentReader = (bytes) => {
  const pictures = decode(bytes, { ignoreImageData: true });
  const pages = pictures.map((picture, index) => imagePage(index + 1, picture.width, picture.height));
  return Promise.resolve({ pageCount: pages.length, pages });
};
