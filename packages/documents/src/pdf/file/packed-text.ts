import { constants, inflateSync } from 'node:zlib';

/** The objects of a PDF are packed into streams, of which a hostile file has any number. */
const maxPacked = { streams: 200, bytes: 2_000_000 };

/** Whether a PDF names something in an object, such as its catalog, that PDFium does not expose. */
export function hasName(bytes: Uint8Array, name: RegExp): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (name.test(text)) return true;
  const packed = [...text.matchAll(/\/ObjStm\b[^]{0,200}?\bstream\r?\n/g)].slice(0, maxPacked.streams);
  return packed.some(({ index, 0: head }) => name.test(inflated(bytes.subarray(index + head.length))));
}

/** A packed stream as text; empty if it cannot be unpacked, as in an encrypted file. */
function inflated(packed: Uint8Array): string {
  try {
    const options = { maxOutputLength: maxPacked.bytes, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateSync(packed.subarray(0, maxPacked.bytes), options).toString('latin1');
  } catch {
    return '';
  }
}
