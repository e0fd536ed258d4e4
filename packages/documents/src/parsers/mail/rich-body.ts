import { decompressRTF } from '@kenjiuno/decompressrtf';
import { textOfBlocks } from '../../flow/block-lines.ts';
import { readHtml } from '../html/read-html.ts';
import { readRtf } from '../rtf/open-rtf.ts';
import type { PictureSource } from '../html/shown-values.ts';
import { htmlInRtf } from './html-in-rtf.ts';

/** The text of a mail that is stored as RTF alone, compressed. A page of the web inside of the RTF is read as the page. */
export function richBody(
  compressed: Uint8Array | undefined,
  pictures: PictureSource,
): ReturnType<typeof readRtf> | undefined {
  if (!compressed || compressed.length > maxCompressed) return undefined;
  try {
    const rtf = Buffer.from(decompressRTF([...compressed])).toString('latin1');
    if (!rtf.startsWith('{\\rtf')) return undefined;
    const html = htmlInRtf(rtf);
    const page = html === undefined ? undefined : readHtml(html, pictures);
    return page && textOfBlocks(page.blocks).trim() !== '' ? page : readRtf(rtf);
  } catch {
    return undefined;
  }
}

/** Bytes of a compressed text. Each two of them stand for at most 17. */
const maxCompressed = 4 * 1024 * 1024;
