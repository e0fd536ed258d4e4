import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  datesOf,
  inventedNames,
  isCutCell,
  isNumber,
  onPaperAlone,
  scaleNumbers,
  withoutRepeats,
  type Reason,
} from '../reasons.ts';
import { foldWord, isRounded, wordsOf, type PlacedWord } from '../words.ts';
import { popplerPages, type ShownPage } from './pdf.ts';

const run = promisify(execFile);
const maxMilliseconds = 120_000;
/** Prints each sheet of a workbook on one page of its size. */
const wholeSheets = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}';

/** Two LibreOffices that share a profile disturb each other. */
let profile: string | undefined;

function newProfile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'docwright-reading-office-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What LibreOffice prints of a file. */
export interface OfficeWords {
  /** Those of one page after the other, with the reason why the product may lack them. */
  words: PlacedWord[];
  /** Words that the file shows, but not in print, with the reason. */
  unprinted: PlacedWord[];
}

/**
 * The words of a Word, Excel, PowerPoint, OpenDocument or RTF file as LibreOffice prints it.
 *
 * @param isText whether it is a text, whose pages share their headers and footers
 * @param keep a folder that keeps what LibreOffice wrote
 */
export async function officeWords(
  file: string,
  isText: boolean,
  isWorkbook: boolean,
  keep?: string,
): Promise<OfficeWords> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docwright-reading-'));
  const hash =
    keep &&
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  const convert = async (to: string): Promise<void> => {
    const kept = keep && path.join(keep, `${hash}.${createHash('sha256').update(to).digest('hex').slice(0, 8)}`);
    if (kept && existsSync(kept)) return cp(kept, folder, { recursive: true });
    const own = await mkdtemp(path.join(tmpdir(), 'docwright-reading-'));
    profile ??= newProfile();
    const options = [
      `-env:UserInstallation=file://${profile}`,
      '--headless',
      '--convert-to',
      to,
      '--outdir',
      own,
      file,
    ];
    await run('soffice', options, { timeout: maxMilliseconds });
    if (kept) await cp(own, kept, { recursive: true });
    await cp(own, folder, { recursive: true });
    await rm(own, { recursive: true });
  };
  const output = (extension: string): string => path.join(folder, `${path.parse(file).name}.${extension}`);
  const print = async (to: string): Promise<ShownPage[]> => {
    await convert(to);
    return popplerPages(output('pdf'));
  };
  try {
    const printed = await print('pdf');
    const parts = await readParts(file);
    const numbers = parts.numbers && new Set(parts.numbers);
    const today = datesOf(new Date());
    const signs = new Set(parts.signs);
    const deleted = Map.groupBy(parts.deleted.flatMap(wordsOf), ({ text }) => foldWord(text));
    const reasonOf = (
      word: PlacedWord,
      scale: ReadonlySet<PlacedWord>,
      names: ReadonlySet<PlacedWord>,
    ): Reason | undefined => {
      if (names.has(word)) return 'named';
      if (scale.has(word)) return 'scale';
      if (today.has(word.text)) return 'today';
      if (signs.has(word.text) && !/[\p{L}\p{N}]/u.test(word.text)) return 'sign';
      return deleted.has(foldWord(word.text)) ? 'deleted' : word.reason;
    };
    const explained = (words: readonly PlacedWord[]): PlacedWord[] => {
      const scale = numbers ? scaleNumbers(words, new Set(parts.categories)) : new Set<PlacedWord>();
      const names = parts.unnamed.length > 0 ? inventedNames(words) : new Set<PlacedWord>();
      return words
        .filter((word) => !numbers || !isNumber(word.text) || numbers.has(word.text) || names.has(word))
        .map((word): PlacedWord => {
          const reason = reasonOf(word, scale, names);
          // The places of LibreOffice's pages are not those of the product's.
          return reason ? { text: word.text, reason } : { text: word.text };
        });
    };
    const reasons = { notes: 'notes', art: 'art', dates: 'today', unnamed: 'named' } as const;
    const unprinted = (['notes', 'art', 'dates', 'unnamed'] as const).flatMap((kind) =>
      parts[kind].flatMap(wordsOf).map(({ text }): PlacedWord => ({ text, reason: reasons[kind] })),
    );
    if (isWorkbook) {
      await convert('fods');
      const sheets = await readSheets(output('fods'));
      const whole = parts.hasDrawings ? await print(wholeSheets) : [];
      return { words: sheetWords(sheets, printed, whole, explained), unprinted };
    }
    // Each slide has its own header and footer.
    const shown = isText ? [withoutRepeats(printed)] : printed.map(({ words }) => words);
    return { words: shown.flatMap(explained), unprinted };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A sheet with the words of its cells. */
interface SheetWords {
  name: string;
  words: PlacedWord[];
}

/** The sheets of a workbook that are shown, with the words of the cells that are shown, row by row, whether or not they have room. */
async function readSheets(file: string): Promise<SheetWords[]> {
  const program = path.join(import.meta.dirname, 'sheets.py');
  const { stdout } = await run('python3', [program, file], { maxBuffer: 1 << 28, timeout: 60_000 });
  return JSON.parse(stdout) as SheetWords[];
}

/**
 * The words of a workbook: of each sheet its name, its cells, and what is drawn over them, as far as there are drawings. Paper divides a sheet, cuts off what is wider
 * than its cell, and prints twice what lies across an edge: it says only what is drawn, and what is around a sheet.
 */
function sheetWords(
  sheets: readonly SheetWords[],
  printed: readonly ShownPage[],
  whole: readonly ShownPage[],
  explained: (words: readonly PlacedWord[]) => PlacedWord[],
): PlacedWord[] {
  const cells = sheets.map(({ name, words }) => [...wordsOf(name), ...words]);
  const cellSet = new Set(cells.flat().map(({ text }) => text));
  const numbers = [...cellSet].filter(isNumber);
  const isDrawn = ({ text }: PlacedWord): boolean =>
    !isCutCell(text, cellSet) && !(isNumber(text) && numbers.some((cell) => isRounded(cell, text)));
  // Only of a workbook whose sheets have one page each is it known which page shows which.
  const hasPages = whole.length === sheets.length;
  const drawn = (pages: readonly ShownPage[], own: readonly PlacedWord[]): PlacedWord[] =>
    explained(pages.flatMap((page) => withoutWords(page.words, own)).filter(isDrawn));
  const words = sheets.flatMap((_, index) => [
    ...cells[index]!,
    ...(hasPages ? drawn([whole[index]!], cells[index]!) : []),
  ]);
  if (!hasPages) words.push(...drawn([{ width: 0, height: 0, words: whole.flatMap((page) => page.words) }], words));
  const everywhere = [...words, ...whole.flatMap((page) => page.words)];
  const onPaper = onPaperAlone(printed, everywhere).filter(isDrawn);
  // Without drawings, paper has nothing but what is around the cells.
  return [...words, ...explained(onPaper.filter(({ reason }) => reason === 'printed' || whole.length > 0))];
}

/** The words without as many of each as the others have. */
function withoutWords(words: readonly PlacedWord[], others: readonly PlacedWord[]): PlacedWord[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(foldWord(text), (left.get(foldWord(text)) ?? 0) + 1);
  return words.filter(({ text }) => {
    const count = left.get(foldWord(text)) ?? 0;
    left.set(foldWord(text), count - 1);
    return count <= 0;
  });
}

/** What a file says of how its words are shown: see `parts.py`. */
interface Parts {
  numbers: string[] | null;
  categories: string[];
  unnamed: string[];
  hasDrawings: boolean;
  notes: string[];
  art: string[];
  dates: string[];
  signs: string[];
  deleted: string[];
}

async function readParts(file: string): Promise<Parts> {
  const program = path.join(import.meta.dirname, 'parts.py');
  const { stdout } = await run('python3', [program, file], { maxBuffer: 1 << 26, timeout: 30_000 });
  return JSON.parse(stdout) as Parts;
}
