import { unzipSync } from 'fflate';
import { ParseFailure } from '../reader/parse-failure.ts';

/** Office files have tens of entries, large workbooks some hundreds. */
const maxEntries = 10_000;

/**
 * Rejects an Office file that would unpack to more than `unpackedBytes`, before it is unpacked. The archive declares the
 * sizes; a file with false sizes reaches the memory limit of its thread.
 */
export function checkArchive(bytes: Uint8Array, unpackedBytes: number): void {
  let entries = 0;
  let size = 0;
  unzipSync(bytes, {
    filter: (entry) => {
      entries += 1;
      size += entry.originalSize;
      return false;
    },
  });
  if (size > unpackedBytes || entries > maxEntries) {
    const megabytes = Math.round(unpackedBytes / (1024 * 1024));
    throw new ParseFailure(
      'document_too_large',
      `The Office file unpacks to more than the ${megabytes} MB that can be read. Split it, or save it as PDF, and upload that.`,
    );
  }
}
