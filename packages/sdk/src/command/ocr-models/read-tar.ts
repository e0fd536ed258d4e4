import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** Records of the tar format, in bytes. */
const blockLength = 512;
const nameLength = 100;
const sizeAt = 124;
const sizeLength = 12;
const typeAt = 156;
const prefixAt = 345;
const prefixLength = 155;
/** Types of an entry: an ordinary file, by either of two signs. */
const fileTypes = ['0', '\0'];

/** A file of an archive. */
export interface TarFile {
  name: string;
  bytes: Buffer;
}

/**
 * The files of a gzipped tar archive whose names are wanted, one after the other, so that only one is in memory. Supports what npm packs:
 * ordinary files with short names.
 * @throws Error if the archive is cut off, or a file is larger than `maxBytes`.
 */
export async function* readTar(
  archive: string,
  isWanted: (name: string) => boolean,
  maxBytes: number,
): AsyncGenerator<TarFile> {
  const source = createReadStream(archive);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  let pending: Buffer[] = [];
  let have = 0;
  const chunks = unpacked[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  /** The next bytes. With `isKept` false they are passed over. */
  const take = async (count: number, isKept: boolean): Promise<Buffer> => {
    const parts: Buffer[] = [];
    let left = count;
    while (left > 0) {
      if (have === 0) {
        const { value, done } = await chunks.next();
        if (done === true) throw new Error('The archive is cut off.');
        pending = [value];
        have = value.length;
      }
      const first = pending[0]!;
      const part = first.subarray(0, left);
      if (isKept) parts.push(part);
      pending = part.length < first.length ? [first.subarray(part.length)] : [];
      have -= part.length;
      left -= part.length;
    }
    return Buffer.concat(parts);
  };
  try {
    for (;;) {
      const head = await take(blockLength, true);
      // An empty block ends the archive.
      if (head[0] === 0) return;
      const [prefix, own] = [textAt(head, prefixAt, prefixLength), textAt(head, 0, nameLength)];
      const name = prefix === '' ? own : `${prefix}/${own}`;
      const size = Number.parseInt(textAt(head, sizeAt, sizeLength), 8) || 0;
      const isFile = fileTypes.includes(String.fromCharCode(head[typeAt]!)) && isWanted(name);
      if (isFile && size > maxBytes) throw new Error(`${name} is larger than expected.`);
      const bytes = await take(size, isFile);
      if (isFile) yield { name, bytes };
      await take((blockLength - (size % blockLength)) % blockLength, false);
    }
  } finally {
    unpacked.destroy();
    source.destroy();
  }
}

function textAt(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString('utf8', at, end === -1 || end > at + length ? at + length : end).trim();
}
