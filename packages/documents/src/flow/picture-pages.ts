import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import type { UnreadPart } from '../page/unread.ts';
import type { PictureBlock } from './block.ts';

/** A picture with fewer pixels on a side holds no text that anyone could read. */
const minSide = 24;
const minArea = 4_000;
/** More pictures are named and not recognised. */
const maxPictures = 20;
const recognisedTypes = new Set(['png', 'jpg', 'webp', 'tiff', 'bmp', 'gif', 'avif']);

/** A picture that is a page of its own and waits for recognition. Pixels. */
export interface PicturePage {
  picture: Uint8Array;
  width: number;
  height: number;
}

/**
 * Chooses the pictures of a document that are recognised: those that can hold text, each once, up to a maximum. `notRead` gets a part
 * for each other picture that could hold text.
 */
export function choosePictures(notRead: UnreadPart[]): (picture: PictureBlock) => PicturePage | undefined {
  const seen = new Set<string>();
  let pictures = 0;
  return (part) => {
    const size = sizeOf(part);
    if (size === 'unknown') {
      notRead.push(unreadPicture(part, 'picture', 'is of a kind that cannot be recognised'));
      return undefined;
    }
    if (size.width < minSide || size.height < minSide || size.width * size.height < minArea) return undefined;
    // A logo that is on each page is read once.
    const key = createHash('sha1').update(part.bytes).digest('hex');
    if (seen.has(key)) return undefined;
    seen.add(key);
    pictures += 1;
    if (pictures <= maxPictures) return { picture: part.bytes, ...size };
    notRead.push(unreadPicture(part, 'picture_skipped', `follows ${maxPictures} others`));
    return undefined;
  };
}

function sizeOf({ bytes }: PictureBlock): { width: number; height: number } | 'unknown' {
  try {
    const { width, height, type = '', orientation = 1 } = imageSize(bytes);
    if (!recognisedTypes.has(type)) return 'unknown';
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return 'unknown';
  }
}

function unreadPicture({ name }: PictureBlock, kind: 'picture' | 'picture_skipped', reason: string): UnreadPart {
  return { kind, name, message: `A picture was not read: it ${reason}.` };
}
