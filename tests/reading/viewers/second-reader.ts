import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Difference } from '../compare-words.ts';
import { foldWord, touches, type PlacedWord } from '../words.ts';

const run = promisify(execFile);
const maxOutput = 1 << 29;
const maxMilliseconds = 60_000;

/** A word with its colour, `#rrggbb`, if all of its letters have the same. */
export interface ColoredWord extends PlacedWord {
  color?: string | undefined;
}

/**
 * The words that MuPDF reads in a PDF, by page number. MuPDF shares no code with poppler or PDFium, so it says which of both is wrong
 * where they differ. Undefined if it is not installed, or does not open the file.
 */
export async function mupdfPages(file: string, maxPages: number): Promise<Map<number, ColoredWord[]> | undefined> {
  try {
    const { stdout } = await run('mutool', ['draw', '-q', '-F', 'stext', '-o', '-', file, `1-${maxPages}`], {
      maxBuffer: maxOutput,
      timeout: maxMilliseconds,
    });
    return new Map(
      [...stdout.matchAll(/<page id="page(\d+)"[^>]*>(.*?)<\/page>/gsu)].map(([, number, text = '']) => [
        Number(number),
        [...text.matchAll(/<line [^>]*>(.*?)<\/line>/gsu)].flatMap(([, line = '']) => wordsOfLine(line)),
      ]),
    );
  } catch {
    return undefined;
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function wordsOfLine(line: string): ColoredWord[] {
  const words: ColoredWord[] = [];
  let isSeparated = true;
  for (const [, quad = '', color, coded = ''] of line.matchAll(
    /<char quad="([^"]+)"[^>]*? color="([^"]+)"[^>]* c="([^"]*)"/gu,
  )) {
    const text = coded.replace(/&(?:#x([0-9a-f]+)|(\w+));/giu, (_, hex: string | undefined, name: string) =>
      hex === undefined ? (entities[name] ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    if (/^\s*$/u.test(text)) {
      isSeparated = true;
      continue;
    }
    const numbers = quad.split(' ').map(Number);
    const [xs, ys] = [0, 1].map((first) => numbers.filter((_, index) => index % 2 === first)) as [number[], number[]];
    const place = { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
    const last = isSeparated ? undefined : words.at(-1);
    if (last?.place) {
      last.text += text;
      if (last.color !== color) last.color = undefined;
      last.place = {
        x0: Math.min(last.place.x0, place.x0),
        y0: Math.min(last.place.y0, place.y0),
        x1: Math.max(last.place.x1, place.x1),
        y1: Math.max(last.place.y1, place.y1),
      };
    } else words.push({ text, place, color });
    isSeparated = false;
  }
  return words;
}

/**
 * Says who is wrong where poppler and the product differ. A word that only poppler has is poppler's, and one that MuPDF has too is not
 * too many. Where both others divide words in the same way, the product is wrong, even if it has all their letters.
 */
export function explainBySecondReader({ missing, tooMany }: Difference, second: readonly PlacedWord[]): void {
  const byText = Map.groupBy(second, ({ text }) => foldWord(text));
  const isConfirmed = ({ text, place }: PlacedWord): boolean =>
    (byText.get(text) ?? []).some((other) => !place || touches(other.place!, place));
  const confirmed = missing.filter(isConfirmed);
  for (const word of missing) {
    const isReadFromLeft = tooMany.find(
      (own) => isReversed(own.text, word.text) && touches(own.place!, word.place!) && own.reason !== 'order',
    );
    if (isReadFromLeft) word.reason = isReadFromLeft.reason = 'order';
    else if (!confirmed.includes(word)) word.reason ??= 'alone';
    else if (word.reason === 'divided') delete word.reason;
  }
  for (const word of tooMany) {
    if (word.reason === 'order') continue;
    if (isConfirmed(word)) word.reason = 'second';
    else if (confirmed.some((other) => touches(other.place!, word.place!))) delete word.reason;
  }
}

/** Whether a word of a right-to-left script is another one from its end. Marks stand behind their letters in both. */
export function isReversed(text: string, other: string): boolean {
  if (!/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)) return false;
  const letters = (one: string): string[] => Array.from(one.replaceAll(/\p{M}/gu, ''));
  return letters(text).toReversed().join('') === letters(other).join('');
}
