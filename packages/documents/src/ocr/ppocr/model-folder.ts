import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runtimeFile } from './onnx-runtime.ts';

/** The files of a models folder: a detector of lines, a reader of lines, and for some readers a list of characters. */
export const modelFiles = { detector: 'det.onnx', reader: 'rec.onnx', characters: 'characters.txt' } as const;

/**
 * Whether a folder has the models of PP-OCR and ONNX Runtime, which `docwright ocr-models install` puts there.
 *
 * @example
 * ```ts
 * import { hasOcrModels } from '@docwright/documents';
 *
 * console.log(hasOcrModels('/srv/ocr-models'));
 * ```
 */
export function hasModels(folder: string): boolean {
  const models = [modelFiles.detector, modelFiles.reader].map((name) => path.join(folder, name));
  return [...models, runtimeFile(folder)].every((file) => existsSync(file));
}

/** The characters of a reader in the order of its output, between the blank at the start and the space at the end. */
export async function readAlphabet(folder: string): Promise<string[]> {
  const file = path.join(folder, modelFiles.characters);
  const list = existsSync(file)
    ? readFileSync(file, 'utf8')
    : metadataOf(await readFile(path.join(folder, modelFiles.reader))).get('character');
  if (list === undefined) throw new Error(`The model in ${folder} names no characters. Install it again.`);
  return list.replace(/\r?\n$/u, '').split(/\r?\n/u);
}

/** The number of `metadata_props` in an ONNX file. */
const metadataField = 14;

/** The metadata of an ONNX file by key. ONNX Runtime does not offer it to JavaScript. */
function metadataOf(bytes: Uint8Array): Map<string, string> {
  const found = new Map<string, string>();
  for (const { field, content } of fieldsOf(bytes)) {
    if (field !== metadataField || !content) continue;
    const texts = [...fieldsOf(content)].map((part) => ({ ...part, text: Buffer.from(part.content ?? []).toString() }));
    const key = texts.find((part) => part.field === 1)?.text;
    const value = texts.find((part) => part.field === 2)?.text;
    if (key !== undefined && value !== undefined) found.set(key, value);
  }
  return found;
}

/** The fields of one protobuf message; only those with bytes have content. */
function* fieldsOf(bytes: Uint8Array): Generator<{ field: number; content: Uint8Array | undefined }> {
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at]!;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = readNumber();
    const wire = tag % 8;
    let content: Uint8Array | undefined;
    if (wire === 0) readNumber();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = readNumber();
      content = bytes.subarray(at, at + length);
      at += length;
    }
    yield { field: Math.floor(tag / 8), content };
  }
}
