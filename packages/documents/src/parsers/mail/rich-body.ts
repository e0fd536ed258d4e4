import { decompressRTF } from '@kenjiuno/decompressrtf';
import { readRtf } from '../rtf/open-rtf.ts';

/** The text of a mail that is stored as RTF alone, compressed. Pages of the web are in RTF of their own, which shows their text too. */
export function richBody(compressed: Uint8Array | undefined): ReturnType<typeof readRtf> | undefined {
  if (!compressed || compressed.length > maxCompressed) return undefined;
  try {
    const rtf = Buffer.from(decompressRTF([...compressed])).toString('latin1');
    return rtf.startsWith('{\\rtf') ? readRtf(rtf) : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of a compressed text. Each two of them stand for at most 17. */
const maxCompressed = 4 * 1024 * 1024;
