import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;

/**
 * One file of a zip archive, at most so many bytes of it. Only what wheels use: no encryption, no more than 4 GB.
 * @throws Error where the archive is damaged or the file is not in it.
 */
export function fileOfZip(zip: Buffer, name: string, maxBytes: number): Buffer {
  let end = zip.length - END_LENGTH;
  while (end >= Math.max(0, zip.length - END_LENGTH - MAX_COMMENT) && zip.readUInt32LE(end) !== END) end -= 1;
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('This is no zip archive, or only a part of one.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === ENTRY; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) return contentAt(zip, at, maxBytes);
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`${name} is not in the archive.`);
}

function contentAt(zip: Buffer, entry: number, maxBytes: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const length = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(from, from + length);
  if (method === STORED && length <= maxBytes) return content;
  if (method === DEFLATED) return inflateRawSync(content, { maxOutputLength: maxBytes });
  throw new Error('This archive is packed in a way that is not read here.');
}
