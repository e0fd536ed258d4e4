import { decode } from 'tiff';
import { imagePage } from '../page/image-page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

/** A TIFF file: each of its pictures is one page for OCR. */
export const openTiff: DocumentReader = (bytes) => {
  const pictures = directoriesOf(bytes);
  const pages = pictures.map((picture, index) => imagePage(index + 1, picture.width, picture.height));
  return Promise.resolve({ pageCount: pages.length, pages });
};

/** The number behind the order of bytes in files whose addresses have 64 bits. */
const bigTiff = 43;

function directoriesOf(bytes: Uint8Array): ReturnType<typeof decode> {
  let found: ReturnType<typeof decode> = [];
  try {
    found = decode(bytes, { ignoreImageData: true });
  } catch {
    // The lists of pictures lie beyond the end of the file.
  }
  if (found.length > 0) return found;
  if (bytes[2] === bigTiff || bytes[3] === bigTiff)
    throw new ParseFailure(
      'damaged_file',
      'This is a BigTIFF file, which cannot be read. Save it as a usual TIFF or a PDF and upload that.',
    );
  throw new ParseFailure(
    'damaged_file',
    'The TIFF file has no picture: it ends before the list of its pictures. Scan or export it again and upload that.',
  );
}
