import { unzipSync } from 'fflate';
import { textBlock } from '../flow/block.ts';
import { flowDocument } from '../flow/flow-document.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { ContainedFile, DocumentReader } from '../reader/document-reader.ts';
import { ParseFailure } from '../reader/parse-failure.ts';

const maxEntries = 10_000;
/** Entries that programs add for themselves. */
const ownEntries = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/u;
/** Methods of compression that are read: stored and Deflate. */
const readMethods = [0, 8];
/** Signature and fields of an entry in the archive's list. */
const listedEntry = { signature: 0x02014b50, flags: 8, nameLength: 28, name: 46 };
const encryptedFlag = 1;

/** An archive: the list of its files, each of which is a document of its own. */
export const openZip: DocumentReader = async (bytes, limits) => {
  const names: string[] = [];
  const unread: UnreadPart[] = [];
  const encrypted = encryptedNames(bytes);
  let size = 0;
  let entries = 0;
  unzipSync(bytes, {
    filter: ({ name, originalSize, compression }) => {
      entries += 1;
      if (entries > maxEntries) throw tooLarge(`more than ${maxEntries} files`);
      if (name.endsWith('/') || ownEntries.test(name)) return false;
      if (encrypted.has(name)) {
        unread.push({ kind: 'encrypted_part', name, message: encryptedMessage });
      } else if (!readMethods.includes(compression)) {
        unread.push({ kind: 'codec', name, message: codecMessage });
      } else {
        names.push(name);
        if (names.length <= limits.files) size += originalSize;
      }
      return false;
    },
  });
  if (size > limits.unpackedBytes)
    throw tooLarge(`more than the ${Math.round(limits.unpackedBytes / 1024 / 1024)} MB that can be read`);
  const listed = [...names, ...unread.map(({ name = '' }) => name)];
  const list = listed.map((name) => textBlock(`- ${name}`));
  return {
    ...flowDocument([textBlock(listed.length === 0 ? 'The archive has no files.' : 'Files:'), ...list], { unread }),
    files: unpack(bytes, names, limits.files),
  };
};

/** One file at a time, so that one is in memory. Those beyond the limit are not unpacked. */
function* unpack(bytes: Uint8Array, names: readonly string[], limit: number): Generator<ContainedFile> {
  for (const [index, name] of names.entries()) {
    const file = index < limit ? unzipSync(bytes, { filter: (entry) => entry.name === name })[name] : undefined;
    yield { name, bytes: file ?? new Uint8Array() };
  }
}

/** The names of the entries that need a password, which the library does not say. */
function encryptedNames(bytes: Uint8Array): Set<string> {
  const found = new Set<string>();
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { signature, flags, nameLength, name } = listedEntry;
  const start = Buffer.alloc(4);
  start.writeUInt32LE(signature);
  for (let at = view.indexOf(start); at >= 0 && at + name <= view.length; at = view.indexOf(start, at + 1)) {
    if ((view.readUInt16LE(at + flags) & encryptedFlag) === 0) continue;
    const end = at + name + view.readUInt16LE(at + nameLength);
    // The library decodes names in the same two ways.
    found.add(view.toString('utf8', at + name, end)).add(view.toString('latin1', at + name, end));
  }
  return found;
}

const encryptedMessage =
  'This file of the archive is protected with a password. Unpack it and upload it as a document of its own.';
const codecMessage =
  'This file of the archive is compressed in a way that cannot be read. Unpack it and upload it as a document of its own.';

function tooLarge(what: string): ParseFailure {
  return new ParseFailure('document_too_large', `The archive has ${what}. Unpack it and upload its files.`);
}
