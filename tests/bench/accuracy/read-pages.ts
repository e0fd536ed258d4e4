import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { detectType, parseDocument, recognizePage, type OcrLanguage, type Page } from '@docwright/documents';

/**
 * The pages of a file as the product reads them: pages without a text layer are recognised.
 *
 * @param keep A folder in which recognised files stay, so that work on the rules need not wait for recognition. Delete it
 *   after a change of how pages are read.
 */
export async function readPages(bytes: Uint8Array, name: string, keep: string | undefined): Promise<Page[]> {
  const mimeType = await detectType(bytes, name);
  const { pages } = await parseDocument({ bytes, mimeType, name });
  if (!pages.some((page) => page.needs_ocr)) return pages;
  const kept = keep && path.join(keep, `${createHash('sha256').update(bytes).digest('hex')}.pages.json`);
  if (kept !== undefined && existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as Page[];
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
  if (kept !== undefined) {
    await mkdir(path.dirname(kept), { recursive: true });
    await writeFile(kept, JSON.stringify(read));
  }
  return read;
}
