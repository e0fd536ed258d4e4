import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { detectType, parseDocument, recognizePage, type OcrLanguage, type Page } from '@docwright/documents';

interface Entry {
  file: string;
  kind: string;
  has_text_layer: boolean;
  expected: Record<string, unknown> | null;
}

/** A real document with its known values. */
interface KnownDocument {
  documentId: string;
  truth: Record<string, unknown>;
  pages: Page[];
}

const notFields = new Set(['text', 'markdown', 'tables', 'behaviour']);

/** The documents of a folder with a `manifest.json` whose values are known; none if there is no folder. */
export async function knownDocuments(folder: string, withScans: boolean): Promise<KnownDocument[]> {
  const manifest = resolve(folder, 'manifest.json');
  if (!existsSync(manifest)) return [];
  const entries = JSON.parse(await readFile(manifest, 'utf8')) as Entry[];
  const fieldsOf = ({ expected }: Entry) => Object.entries(expected ?? {}).filter(([name]) => !notFields.has(name));
  const known: KnownDocument[] = [];
  for (const entry of entries) {
    const { file, kind, has_text_layer } = entry;
    const fields = fieldsOf(entry);
    if (fields.length === 0 || (!has_text_layer && !withScans)) continue;
    // The schema of a kind has the fields of all its documents. Null is right for missing ones.
    const alike = entries.filter((other) => other.kind === kind).flatMap(fieldsOf);
    const absent = alike.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, null] as const]));
    const truth = { ...Object.fromEntries(absent), ...Object.fromEntries(fields) };
    known.push({ documentId: file, truth, pages: await pagesOf(folder, file) });
  }
  return known;
}

async function pagesOf(folder: string, file: string): Promise<Page[]> {
  const bytes = await readFile(resolve(folder, file));
  const mimeType = await detectType(bytes, file);
  const { pages } = await parseDocument({ bytes, mimeType });
  let likelyLanguage: OcrLanguage | undefined;
  const read: Page[] = [];
  for (const page of pages) {
    if (!page.needs_ocr) {
      read.push(page);
      continue;
    }
    const recognized = await recognizePage({ bytes, mimeType, pageNumber: page.page_num, likelyLanguage });
    likelyLanguage = recognized.language;
    read.push(recognized.page);
  }
  return read;
}
