import { describe, expect, it } from 'vitest';
import { buildPdf, firstExtraObject, line, stream, type TestDocument } from '../testing/build-pdf.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';
import type { RecognizedWord } from './engine/recognized-word.ts';
import { recognizePage } from './recognize-page.ts';
import { isLayerWrong } from './word-sample.ts';

const prose = [
  'The invoice is payable within thirty days',
  'Amount due 4815.96 of 23 October',
  'Thank you for your order 2185 of 15 May',
];
const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
/** A table that has each small letter as one of another alphabet. */
const asLettersOf = (alphabet: string): Readonly<Record<string, string>> =>
  Object.fromEntries(letters.map((letter, at) => [letter, alphabet[at]!]));
const rotated = Object.fromEntries(letters.map((letter, at) => [letter, letters[(at + 11) % letters.length]!]));

/** A font's table, which has some letters for others. */
function tableOf(table: Readonly<Record<string, string>>): string {
  const hex = (letter: string, length: number): string => letter.charCodeAt(0).toString(16).padStart(length, '0');
  const entries = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).map(
    (letter) => `<${hex(letter, 2)}> <${hex(table[letter] ?? letter, 4)}>`,
  );
  return stream(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange ${entries.length} beginbfchar ${entries.join('\n')} endbfchar endcmap end end`);
}

/** A page in Helvetica, whose table says for some letters that they are others. */
function pageWith(table: Readonly<Record<string, string>>, lines = prose, rotate = 0): TestDocument {
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${firstExtraObject} 0 R >>`;
  const content = lines.map((text, at) => line(text, 60, 700 - at * 20, 12)).join('');
  const resources = `/Font << /F1 ${firstExtraObject + 1} 0 R >>`;
  return { extra: [tableOf(table), font], pages: [{ content, resources, rotate }] };
}

async function recognised(document: TestDocument) {
  const input = { bytes: buildPdf(document), mimeType: 'application/pdf', pageNumber: 1, engine: 'tesseract' } as const;
  return (await recognizePage(input)).page;
}

describe('a text layer whose letters are not those of the page is set aside, and the page recognised:', () => {
  it.each([
    ['all letters', pageWith(rotated)],
    ['all letters, of a page that is turned', pageWith(rotated, prose, 90)],
    ['two letters for each other', pageWith({ a: 'e', e: 'a' })],
    ['two digits for each other', pageWith({ 4: '9', 9: '4' })],
    ['two digits in few numbers', pageWith({ 1: '6', 6: '1', 5: '7', 7: '5' }, [prose[0]!, prose[1]!, '2185'])],
    ['letters for digits', pageWith({ 8: 'k', 1: 'm', 5: 'w' })],
    ['Cyrillic letters for Latin ones', pageWith(asLettersOf('абцдефгхийклмнопярстувшюзж'))],
    ['Greek letters for Latin ones', pageWith(asLettersOf('αβψδεφγηιξκλμνοπθρστυωςχζύ'))],
    ['Chinese signs for Latin letters', pageWith(asLettersOf('金年月日合計請求書銀行振込先住所電話番号品名数量単'))],
    ['letters of several shapes for one', pageWith({ m: 'a', w: 'a', r: 'a', o: 'a' })],
  ])('%s', async (_, document) => {
    expect(await readOnlyPage(document)).toMatchObject({ needs_ocr: true });
    const page = await recognised(document);
    expect(page).toMatchObject({ needs_ocr: false, read_by: 'ocr', text: expect.stringContaining(prose[0]!) });
    expect(page.text).toContain('4815.96');
    expect(page.text).toContain('2185');
  });
});

/** A page in a font whose letters are drawings of the file: a ring for `a` and a bar for `b`, which its table has as other letters. */
function drawnPage(ring: string, bar: string): TestDocument {
  const circle =
    '550 250 m 550 388 438 500 300 500 c 162 500 50 388 50 250 c 50 112 162 0 300 0 c 438 0 550 112 550 250 c h';
  const hole =
    '450 250 m 450 343 383 410 300 410 c 217 410 150 343 150 250 c 150 157 217 90 300 90 c 383 90 450 157 450 250 c h';
  const drawnRing = `600 0 50 0 550 500 d1 ${circle} ${hole} f*`;
  const drawnBar = '600 0 250 0 350 700 d1 250 0 100 700 re f';
  const font = [
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >>',
    `/FirstChar 97 /LastChar 98 /Widths [600 600] /Encoding << /Type /Encoding /Differences [97 /a /b] >>`,
    `/CharProcs << /a ${firstExtraObject + 1} 0 R /b ${firstExtraObject + 2} 0 R >> /ToUnicode ${firstExtraObject} 0 R >>`,
  ].join(' ');
  const content = ['ababba', 'babab', 'aabbaab'].map((text, at) => line(text, 60, 700 - at * 30, 20)).join('');
  const resources = `/Font << /F1 ${firstExtraObject + 3} 0 R >>`;
  const extra = [tableOf({ a: ring, b: bar }), stream(drawnRing), stream(drawnBar), font];
  return { extra, pages: [{ content, resources }] };
}

it('letters that are drawings are compared as the page shows them', async () => {
  expect(await readOnlyPage(drawnPage('o', 'l'))).toMatchObject({ needs_ocr: false });
  expect(await readOnlyPage(drawnPage('l', 'o'))).toMatchObject({ needs_ocr: true });
});

it('a page whose letters are those of its text layer does not wait', async () => {
  expect(await readOnlyPage(pageWith({}))).toMatchObject({ needs_ocr: false, read_by: 'text' });
});

it('a text layer stays if recognition reads what it says', async () => {
  const words = [{ text: 'ratio', likely: 'rotlo', x0: 5, y0: 10, x1: 100, y1: 40 }];
  const image = { pixels: new Uint8Array(200 * 60).fill(255), width: 200, height: 60 };
  const reading = (text: string) => async () => {
    const word: RecognizedWord = { text, confidence: 0.9, engine: 'tesseract', x0: 10, y0: 12, x1: 90, y1: 36 };
    return {
      words: text === '' ? [] : [word],
      straightening: { quarters: 0, skew: 0, scale: 1 } as const,
      image,
      language: 'eng' as const,
    };
  };
  expect(await isLayerWrong(reading('ratio'), { image, words })).toBe(false);
  expect(await isLayerWrong(reading('Ratjo'), { image, words })).toBe(false);
  expect(await isLayerWrong(reading(''), { image, words })).toBe(false);
  expect(await isLayerWrong(reading('rotlo'), { image, words })).toBe(true);
  expect(await isLayerWrong(reading('rot1o'), { image, words: [{ ...words[0]!, likely: undefined }] })).toBe(false);
  expect(await isLayerWrong(reading('waters'), { image, words: [{ ...words[0]!, likely: undefined }] })).toBe(true);
});

it('few words are drawn several times and count once each', async () => {
  const layer = ['Invoice', 'Contoso', 'Rechnung'];
  const image = { pixels: new Uint8Array(400 * 400).fill(255), width: 400, height: 400 };
  /** Whether the layer is wrong if the first words are misread, and the last one in its first two rows of eight. */
  const isWrongWith = async (misread: number): Promise<boolean> => {
    const places = Array.from({ length: 8 }, (_, row) => layer.map((text, at) => ({ text, row, at }))).flat();
    const words = places.map(({ text, row, at }) => {
      const [x0, y0] = [at * 110 + 5, row * 45 + 5];
      return { text, likely: undefined, x0, y0, x1: x0 + 100, y1: y0 + 30 };
    });
    const read = words.map(({ text, ...box }, index): RecognizedWord => {
      const { row, at } = places[index]!;
      const isMisread = at < misread || (at === 2 && row < 2);
      return { text: isMisread ? 'Bxqkmmgg' : text, confidence: 0.9, engine: 'tesseract', ...box };
    });
    const straightening = { quarters: 0, skew: 0, scale: 1 } as const;
    return await isLayerWrong(async () => ({ words: read, straightening, image, language: 'eng' }), { image, words });
  };
  expect(await isWrongWith(0)).toBe(false);
  expect(await isWrongWith(1)).toBe(false);
  expect(await isWrongWith(2)).toBe(true);
});
