/** Bytes of an entry of a TIFF directory. */
const ENTRY = 12;

/**
 * A TIFF file with the given picture as its first, for decoders that read only the first: the header names another
 * directory, and all other bytes are unchanged. undefined when the file does not have the picture.
 */
export function tiffPicture(bytes: Uint8Array, index: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  let directory = view.getUint32(4, isLittle);
  for (let skipped = 0; ; skipped += 1) {
    if (directory === 0 || directory + 2 > bytes.length) return undefined;
    const entries = view.getUint16(directory, isLittle);
    const end = directory + 2 + entries * ENTRY;
    if (end + 4 > bytes.length) return undefined;
    if (skipped === index) {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(4, directory, isLittle);
      return copy;
    }
    directory = view.getUint32(end, isLittle);
  }
}
