import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  detectType,
  ParseError,
  parseDocument,
  recognizePage,
  type OcrEngine,
  type OcrLanguage,
  type Page,
} from '@docwright/documents';

export interface Reading {
  engine: OcrEngine;
  /** The folder of PP-OCR's models. */
  modelsFolder: string | undefined;
  /**
   * A folder that stores recognised pages, so that work on the rules does not wait for recognition. Delete it after a change
   * to the reading of pages.
   */
  keep: string | undefined;
}

/** Processor seconds of recognition, and the number of recognised pages; stored pages do not count. */
export const recognition = { seconds: 0, pages: 0 };

/**
 * The first pages of a file as the product reads them: pages without a text layer are recognised. Without `reading` they are as their
 * text layer has them.
 */
export async function readPages(
  bytes: Uint8Array,
  name: string,
  reading: Reading | undefined,
  maxPages = Infinity,
): Promise<Page[]> {
  const mimeType = await detectType(bytes, name);
  const parsed = await parseDocument({ bytes, mimeType });
  const pages = parsed.pages.slice(0, maxPages);
  if (!reading || !pages.some((page) => page.needs_ocr)) return pages;
  const { engine, modelsFolder, keep } = reading;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const variant = engine === 'tesseract' ? '' : `.${engine}`;
  const kept = keep && path.join(keep, `${hash}${variant}.pages.json`);
  if (kept !== undefined && existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as Page[];
  let likelyLanguage: OcrLanguage | undefined;
  const read: Page[] = [];
  for (const page of pages) {
    if (!page.needs_ocr) {
      read.push(page);
      continue;
    }
    const before = process.cpuUsage();
    const { page_num: pageNumber } = page;
    const job = { bytes, mimeType, pageNumber, likelyLanguage, engine, modelsFolder };
    // A damaged page does not affect the others.
    const recognized = await recognizePage(job).catch((error: unknown) => {
      if (error instanceof ParseError) return undefined;
      throw error;
    });
    const { user, system } = process.cpuUsage(before);
    recognition.seconds += (user + system) / 1e6;
    recognition.pages += 1;
    likelyLanguage = recognized?.language ?? likelyLanguage;
    read.push(recognized?.page ?? page);
  }
  if (kept !== undefined) {
    await mkdir(path.dirname(kept), { recursive: true });
    await writeFile(kept, JSON.stringify(read));
  }
  return read;
}
