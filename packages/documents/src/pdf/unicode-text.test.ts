import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { firstExtraObject, stream } from '../testing/build-pdf.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';

const spacesAsSigns = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /B def
1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfrange <21> <7e> <0021> endbfrange 1 beginbfchar <20> <0023> endbfchar endcmap end end`;

/** A page whose font maps the letters A, B, C, … to these code points, or to several for a ligature. */
function readMapped(codePoints: readonly (number | readonly number[])[], content: string): Promise<Page> {
  const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
  const pairs = codePoints.map((codes, index) => {
    const mapped = [codes].flat().map((code) => hex(code, 4));
    return `<${hex(0x41 + index, 2)}> <${mapped.join('')}>`;
  });
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def
1 begincodespacerange <00> <ff> endcodespacerange
${pairs.length} beginbfchar\n${pairs.join('\n')}\nendbfchar endcmap end end`;
  return readOnlyPage({
    extra: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${firstExtraObject + 1} 0 R >>`,
      stream(map),
      // Its spaces are number signs to a reader.
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${firstExtraObject + 3} 0 R >>`,
      stream(spacesAsSigns),
    ],
    pages: [
      {
        content,
        resources: `/Font << /F1 3 0 R /M ${firstExtraObject} 0 R /B ${firstExtraObject + 2} 0 R >>`,
      },
    ],
  });
}

const show = (text: string, x: number): string => `BT /M 12 Tf ${x} 700 Td (${text}) Tj ET\n`;

it('a mark that gives drawn text another wording is not read, and one that names letters without a meaning is', async () => {
  const marked = (said: string, drawn: string, y: number, font = 'F1'): string =>
    `/Span << /ActualText (${said}) >> BDC BT /${font} 12 Tf 100 ${y} Td (${drawn}) Tj ET EMC `;
  const page = await readMapped(
    [0xfffd, 0xfb01],
    marked('Total 100.00', 'Total 900.00', 700) +
      marked('', 'seen', 650) +
      marked('fi', 'A', 600, 'M') +
      marked('finish', 'finish', 550) +
      marked('Phone', 'A', 500) +
      marked('1', '9', 450),
  );
  expect(page.text.split('\n').filter(Boolean)).toEqual(['Total 900.00', 'seen', 'fi', 'finish', 'Phone', '9']);
  expect(page.hidden_text).toBe('Total100.00'.length + 1);
});

describe('text of any script', () => {
  it('has no sign without a meaning before a word in another font, and keeps one inside of a number', async () => {
    const icon = [0xfffd, 0x0042];
    const page = await readMapped(
      icon,
      `BT /M 12 Tf 100 700 Td (A) Tj /F1 12 Tf (Item) Tj ET BT /F1 12 Tf 100 600 Td (5) Tj /M 12 Tf (A) Tj ET`,
    );
    expect(page.text.split(/\s+/u).filter(Boolean)).toEqual(['Item', '5\ufffd']);
  });

  it('is in logical order in right-to-left scripts', async () => {
    // Painted from left to right: the last letter of the last word first.
    const shalom = [0x05dd, 0x05d5, 0x05dc, 0x05e9];
    const page = await readMapped(shalom, show('ABCD', 100) + show('BC', 150));
    expect(page.text).toBe('לו  שלום');
  });

  it('has the digits of Arabic numbers from left to right', async () => {
    const number = [0x0661, 0x0662, 0x0663, 0x066b, 0x0665, 0x06f0];
    const page = await readMapped(number, show('ABCDEF', 100));
    expect(page.text).toBe('١٢٣٫٥۰');
  });

  it('has lam before alef, whether the font maps their ligature to both letters or to its form', async () => {
    const asLetters = await readMapped([0x0645, [0x0644, 0x0627], 0x0633], show('ABC', 100));
    expect(asLetters.text).toBe('سلام');
    const asForm = await readMapped([0xfee1, 0xfefc, 0xfeb3], show('ABC', 100));
    expect(asForm.text).toBe('سلام');
    const withColon = await readMapped([0x3a, 0x0645, [0x0644, 0x0627], 0x0633], show('ABCD', 100));
    expect(withColon.text).toBe('سلام:');
    const twoWords = await readMapped([0x0645, [0x0644, 0x0627], 0x0633, 0x0631], show('ABC', 100) + show('BD', 150));
    expect(twoWords.text.trim()).toBe('رلا  سلام');
  });

  it.each([
    ['letters that no language writes so', [0x1e1, 0x1fc, 0x1f1, 0x1fa], true],
    ['a word with accents', [0xc0, 0xe9, 0xe8, 0xea, 0xe7], false],
  ])('waits for recognition or not where a font says that it is %s', async (_, codes, isSetAside) => {
    const page = await readMapped(codes, show('ABCDE'.slice(0, codes.length), 100));
    expect(page.needs_ocr).toBe(isSetAside);
  });

  it('has accents on their letters', async () => {
    expect((await readMapped([0x65, 0x301, 0x74], show('ABC', 100))).text).toBe('\u00e9t');
  });

  it('has marks on their letters that are drawn after the next sign', async () => {
    const mark = (x: number): string => `BT /M 12 Tf ${x} 700 Td (D) Tj ET\n`;
    const thai = await readMapped([0x0e02, 0x0e2d, 0x0e14, 0x0e49], show('ABC', 100) + mark(99));
    expect(thai.text).toBe('\u0e02\u0e49\u0e2d\u0e14');
    const arabic = await readMapped([0x2e, 0x0627, 0x0630, 0x064b], show('ABC', 100) + mark(107.6));
    expect(arabic.text).toBe('\u0630\u0627\u064b.');
  });

  it('has a space where a font draws nothing for a sign', async () => {
    const page = await readMapped([0x41], 'BT /B 12 Tf 100 700 Td (1101 Main) Tj ET');
    expect(page.text.split(/\s+/)).toEqual(['1101', 'Main']);
  });

  it('beyond the basic plane is read as its characters', async () => {
    const page = await readMapped([[0xd842, 0xdf9f], 0x308b, [0xd83d, 0xdc22]], show('ABC', 100));
    expect(page).toMatchObject({ text: '𠮟る🐢', needs_ocr: false });
  });

  it('without a known meaning makes the page need OCR', async () => {
    const page = await readMapped([0xe001, 0xe002, 0xe003], show('ABC', 100));
    expect(page).toMatchObject({ text: '', words: [], needs_ocr: true });
  });

  it('is readable although a glyph is a picture', async () => {
    const page = await readMapped(
      [0x260e, 0xe002],
      `BT /M 12 Tf 100 700 Td (B) Tj /F1 12 Tf 20 0 Td (030 1234 and more) Tj ET`,
    );
    expect(page).toMatchObject({ text: '030 1234 and more', needs_ocr: false });
  });
});

it('a word of signs without a meaning is named, and one sign or several of one kind are pictures', async () => {
  const content = (signs: string) => `BT /M 12 Tf 100 700 Td (${signs}) Tj /F1 12 Tf 60 0 Td (030 1234 and more) Tj ET`;
  const unreadOf = async (signs: string) => (await readMapped([0xe001, 0xe002, 3], content(signs))).unread;
  const named = await unreadOf('ABCB');
  expect(named).toMatchObject([{ kind: 'font', message: expect.stringContaining('were not read') }]);
  expect(named![0]!.box!.x0).toBeCloseTo(100, 0);
  expect(await unreadOf('AAAA')).toBeUndefined();
  expect(await unreadOf('AB')).toBeUndefined();
});

it('text at an angle is read separately', async () => {
  const page = await readMapped(
    [],
    'BT /F1 12 Tf 72 600 Td (Before) Tj 0.7 0.7 -0.7 0.7 60 560 Tm (Paid in full) Tj ET BT /F1 12 Tf 150 600 Td (after) Tj ET',
  );
  expect(page.text.replace(/ {2,}/g, ' ')).toBe('Before after\n\nPaid in full');
});

describe('a font with a wrong table of characters', () => {
  it('of control codes makes its page one to recognise', async () => {
    const page = await readMapped([3, 4, 5, 6], show('ABCD', 100));
    expect(page).toMatchObject({ text: '', needs_ocr: true });
  });

  it('whose spaces are control codes makes its page one to recognise', async () => {
    const page = await readMapped([0x2f, 0x31, 0x28, 0x03, 0x38], show('ABCDEAABCDECCAB', 100));
    expect(page).toMatchObject({ text: '', needs_ocr: true });
  });

  it('in UTF-8 where UTF-16 belongs is read as the letters that it means', async () => {
    const inUtf8 = (text: string) => Array.from(text, (letter) => Buffer.from(letter).readUInt16BE());
    const page = await readMapped(inUtf8('Накладнé'), show('ABCDEFGH', 100));
    expect(page.text).toBe('Накладнé');
    // Korean letters of which each could be one.
    const korean = [0xd0a4, 0xd0b7, 0xd0a8, 0xc2a4, 0xd0ac, 0xd0b4, 0xd0a0, 0xd55c, 0xd0a5];
    expect((await readMapped(korean, show('ABCDEFGHI', 100))).text).toBe(String.fromCodePoint(...korean));
  });

  it('of numbers beyond Unicode does not make the file a damaged one', async () => {
    const page = await readMapped([0xf0a19a9f, 0x62, 0x63, 0x64, 0x65], show('ABCDE', 100));
    expect(page.text).toContain('bcde');
  });
});
