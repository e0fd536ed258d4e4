import { imageSize } from 'image-size';
import { imagePage } from '../page/image-page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { DocumentReader } from '../reader/document-reader.ts';

/** EXIF orientations from this on are sideways. */
const firstSidewaysOrientation = 5;

/** A PNG, JPEG, WebP, GIF, AVIF or BMP picture: one page for OCR. Of a picture that moves, the first picture is read. */
export const openImage: DocumentReader = (bytes) => {
  const { width, height, orientation = 1 } = imageSize(bytes);
  const isSideways = orientation >= firstSidewaysOrientation;
  const page = imagePage(1, isSideways ? height : width, isSideways ? width : height);
  const unread: UnreadPart[] = isMoving(bytes) ? [{ kind: 'media', message: unreadFrames }] : [];
  return Promise.resolve({ pageCount: 1, pages: [page], unread });
};

const pngHead = 64 * 1024;
const unreadFrames =
  'The picture moves: it has several pictures, of which the first one was read. Save the others as pictures and upload them.';

/** Whether a GIF or a PNG has a second picture. Blocks of a GIF are followed, since their bytes can have any value. */
function isMoving(bytes: Uint8Array): boolean {
  // The control of a PNG's pictures stands before the first one.
  const control = Buffer.from(bytes.subarray(0, pngHead)).indexOf('acTL', 8, 'latin1');
  if (bytes[0] === 0x89 && control !== -1) return Buffer.from(bytes).readUInt32BE(control + 4) > 1;
  if (Buffer.from(bytes.subarray(0, 3)).toString('latin1') !== 'GIF') return false;
  const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let pictures = 0;
  let at = 13 + tableSize(bytes[10] ?? 0);
  while (at < bytes.length && pictures < 2) {
    if (bytes[at] === 0x2c) {
      pictures += 1;
      at += 11 + tableSize(bytes[at + 9] ?? 0);
    } else if (bytes[at] === 0x21) at += 2;
    else break;
    while ((bytes[at] ?? 0) > 0) at += bytes[at]! + 1;
    at += 1;
  }
  return pictures > 1;
}
