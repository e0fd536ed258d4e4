import type { Page } from '../page/page.ts';
import { openPdf } from '../pdf/open-pdf.ts';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { buildPdf, type TestDocument } from './build-pdf.ts';

/** The pages of a hand-written PDF, read in this thread. */
async function readPdf(document: TestDocument): Promise<Page[]> {
  const { pages } = await openPdf(buildPdf(document), defaultParseLimits);
  return [...pages];
}

/** Reads the only page of a hand-written PDF. */
export async function readOnlyPage(document: TestDocument): Promise<Page> {
  const [page] = await readPdf(document);
  if (!page) throw new Error('The document has no page.');
  return page;
}

/** The texts of its words. */
export function textsOf(page: Page): string[] {
  return page.words.map((word) => word.text);
}
