import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { detectType, ParseError, type DocumentMimeType, type OcrEngine, type Page } from '@docwright/documents';
import { readPages } from '../bench/accuracy/read-pages.ts';
import { compareWords, type Difference } from './compare-words.ts';
import { officeWords, type OfficeWords } from './viewers/office.ts';
import { popplerPages, seenWords, type ShownPage } from './viewers/pdf.ts';
import { drawnWords, explainByDrawing } from './viewers/drawn-words.ts';
import { drawTwice, withoutHidden } from './viewers/hidden-words.ts';
import { explainBySecondReader, mupdfPages } from './viewers/second-reader.ts';
import { htmlWords, mailWords } from './viewers/web.ts';
import { wordsOf, type PlacedWord } from './words.ts';

/** A page, or a document without pages, with what differs. */
export interface PageReport extends Difference {
  pageNumber: number;
  /** Words of a text layer that nothing is drawn for. */
  unseen: number;
  /** Points. */
  size?: { width: number; height: number };
  /** Of a page that was recognised: what differs from its text layer alone. */
  layer?: Pick<PageReport, 'shown' | 'missing' | 'tooMany'>;
}

/** A file with what differs. */
export interface FileReport {
  file: string;
  name: string;
  mimeType: DocumentMimeType;
  pages: PageReport[];
  /** Pages that wait for their recognition. */
  waiting: number;
  /** Why the product, or the other reader, does not read it. */
  refused?: string;
  unreadable?: string;
}

interface CompareOptions {
  engine: string;
  models?: string | undefined;
  keep?: string | undefined;
  maxPages: number;
}

const office = /wordprocessingml|spreadsheetml|presentationml|opendocument|rtf/;

/** Reads a file with the product and with what shows it to people. Undefined for a kind that nothing else reads. */
export async function compareFile(file: string, options: CompareOptions): Promise<FileReport | undefined> {
  const name = path.basename(file);
  const bytes = await readFile(file);
  const mimeType = await detectType(bytes, name).catch(() => undefined);
  if (mimeType === undefined) return undefined;
  const report: FileReport = { file, name, mimeType, pages: [], waiting: 0 };
  const isPdf = mimeType === 'application/pdf';
  let shown: PlacedWord[] | Awaited<ReturnType<typeof popplerPages>>;
  let unprinted: OfficeWords['unprinted'] = [];
  try {
    if (isPdf) shown = await popplerPages(file);
    else if (office.test(mimeType)) {
      const isText = /wordprocessingml|opendocument\.text|rtf/.test(mimeType);
      const printed = await officeWords(file, isText, /spreadsheet/.test(mimeType), options.keep);
      shown = printed.words;
      unprinted = printed.unprinted;
    } else if (mimeType === 'text/html') shown = await htmlWords({ file });
    else if (mimeType === 'message/rfc822') shown = await mailWords(file);
    else if (mimeType === 'application/vnd.ms-outlook') shown = await mailWords(file, true);
    else return undefined;
  } catch (error) {
    return { ...report, unreadable: (error as Error).message.slice(0, 200) };
  }
  let pages: Page[];
  let layers: Page[] = [];
  try {
    const reading = { engine: options.engine as OcrEngine, modelsFolder: options.models, keep: options.keep };
    // Only of a PDF are single pages compared.
    const maxPages = isPdf ? options.maxPages : Infinity;
    pages = await readPages(bytes, name, options.engine === 'none' ? undefined : reading, maxPages);
    if (isPdf && options.engine !== 'none') layers = await readPages(bytes, name, undefined, maxPages);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    pages = [];
    report.refused = error.message;
  }
  report.waiting = pages.filter((page) => page.needs_ocr).length;
  if (!isPdf) {
    const own = pages.flatMap((page) => wordsOf(page.text));
    const difference = compareWords(own, shown as PlacedWord[], unprinted);
    report.pages.push({ ...difference, pageNumber: 1, unseen: 0 });
    return report;
  }
  const compare = pageComparison(file, bytes, options);
  for (const [index, page] of (shown as ShownPage[]).entries()) {
    if (index >= options.maxPages) break;
    const [own, layer] = [pages[index], layers[index]];
    const found = await compare(own, page, index + 1);
    if (layer?.needs_ocr === true && own?.needs_ocr === false)
      found.layer = await compare(layer, page, index + 1, false);
    report.pages.push(found);
  }
  return report;
}

/** Compares pages of a PDF with what poppler reads on them; MuPDF, and recognition of the drawn page, say who is wrong. */
function pageComparison(
  file: string,
  bytes: Uint8Array,
  { maxPages, engine, models, keep }: CompareOptions,
): (own: Page | undefined, page: ShownPage, pageNumber: number, isFinal?: boolean) => Promise<PageReport> {
  let second: ReturnType<typeof mupdfPages> | undefined;
  return async (read, page, pageNumber, isFinal = true) => {
    const own = (read?.words ?? []).map(({ text, confidence, ...place }) => ({
      text,
      place,
      isRecognised: confidence !== undefined,
    }));
    const difference = compareWords(own, page.words);
    const differs = difference.missing.length + difference.tooMany.length > 0;
    const words = differs ? (await (second ??= mupdfPages(file, maxPages)))?.get(pageNumber) : undefined;
    if (words) explainBySecondReader(difference, words);
    let seen = await seenWords(bytes, pageNumber, page, difference.missing).catch(() => difference.missing);
    if (words && seen.some(({ reason }) => reason === undefined || reason === 'faint')) {
      const drawn = await drawTwice(file, pageNumber);
      if (drawn) seen = withoutHidden(seen, words, drawn);
    }
    const unseen = difference.missing.length - seen.length;
    if (read?.needs_ocr === true) for (const word of seen) word.reason = 'waits';
    const found = { ...difference, missing: seen, shown: difference.shown - unseen, pageNumber, unseen };
    const isOpen = [...found.missing, ...found.tooMany].some(({ reason }) => reason === undefined);
    if (isOpen && isFinal && engine !== 'none')
      explainByDrawing(found, own, await drawnWords({ bytes, pageNumber, page, models, keep }));
    return { ...found, size: { width: page.width, height: page.height } };
  };
}
