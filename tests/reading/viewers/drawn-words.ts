import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPage, ParseError, recognizePage } from '@docwright/documents';
import type { Difference } from '../compare-words.ts';
import { foldWord, touches, type PlacedWord } from '../words.ts';
import type { ShownPage } from './pdf.ts';

/** Pixels of the longer side of the drawn page: about 200 dots per inch on A4. */
const longestSide = 2_400;
const maxBytes = 8_000_000;

interface DrawnPage {
  bytes: Uint8Array;
  pageNumber: number;
  page: ShownPage;
  models: string | undefined;
  /** A folder that keeps the words between runs. */
  keep: string | undefined;
}

/**
 * The words that recognition reads on a page as PDFium draws it, which says what people see where the readers of text differ. With
 * models it is PP-OCR alone, which the product asks only for words that Tesseract is unsure of. Empty where the page cannot be drawn.
 */
export async function drawnWords({ bytes, pageNumber, page, models, keep }: DrawnPage): Promise<PlacedWord[]> {
  const engine = models === undefined ? 'tesseract' : 'ppocr';
  const hash = createHash('sha256').update(bytes).digest('hex');
  const kept = keep && path.join(keep, `${hash}.${pageNumber}.${engine}.drawn.json`);
  if (kept !== undefined && existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as PlacedWord[];
  let words: PlacedWord[] = [];
  try {
    const picture = await drawPage({ bytes, mimeType: 'application/pdf', pageNumber, longestSide, maxBytes });
    const read = await recognizePage({
      bytes: new Uint8Array(picture.bytes),
      mimeType: 'image/jpeg',
      pageNumber: 1,
      engine,
      modelsFolder: models,
    });
    const scale = page.width / read.page.width;
    words = read.page.words.map(({ text, x0, y0, x1, y1 }) => ({
      text,
      place: { x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale },
    }));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  if (kept !== undefined) {
    await mkdir(path.dirname(kept), { recursive: true });
    await writeFile(kept, JSON.stringify(words));
  }
  return words;
}

/**
 * Gives words the reason `drawn` where the page shows what the product reads: its own words that recognition reads at their place,
 * and the words that poppler has there instead, unless recognition reads them too.
 */
export function explainByDrawing(
  { missing, tooMany }: Pick<Difference, 'missing' | 'tooMany'>,
  own: readonly PlacedWord[],
  drawn: readonly PlacedWord[],
): void {
  const byText = Map.groupBy(drawn, ({ text }) => foldWord(text));
  const isAt = (one: PlacedWord, other: PlacedWord): boolean =>
    one.place !== undefined && other.place !== undefined && touches(one.place, other.place);
  const isDrawn = (word: PlacedWord): boolean =>
    (byText.get(foldWord(word.text)) ?? []).some((other) => isAt(other, word));
  const ownDrawn = own.filter(isDrawn);
  for (const word of missing) {
    if (word.reason !== undefined || isDrawn(word)) continue;
    if (ownDrawn.some((other) => isAt(other, word))) word.reason = 'drawn';
  }
  for (const word of tooMany) if (word.reason === undefined && isDrawn(word)) word.reason = 'drawn';
}
