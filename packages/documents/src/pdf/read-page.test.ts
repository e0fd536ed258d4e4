import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../reader/parse-limits.ts';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { readOnlyPage, textsOf } from '../testing/read-pdf.ts';
import { openPdf } from './open-pdf.ts';

const close = (value: number): unknown => expect.closeTo(value, 0);

describe('words', () => {
  it('are at their displayed position, origin top left', async () => {
    const page = await readOnlyPage({ pages: [{ content: line('Total due', 72, 700) }] });
    expect(page).toMatchObject({ page_num: 1, width: 612, height: 792, text: 'Total due', needs_ocr: false });
    // The baseline is at 792 − 700; the font's line reaches .945 of 12 points above it and .224 below.
    expect(page.words[0]).toMatchObject({ text: 'Total', x0: close(72), y0: close(81), x1: close(99), y1: close(95) });
  });

  it.each([
    ['on a page turned by 180 degrees', 180, 'BT /F1 -12 Tf 540 92 Td (The fee is 900) Tj ET'],
    ['turned back by its matrix', 0, 'BT /F1 -12 Tf -1 0 0 -1 72 700 Tm (The fee is 900) Tj ET'],
  ])('with a negative size keep the order of their letters, %s', async (_, rotate, content) => {
    expect((await readOnlyPage({ pages: [{ rotate, content }] })).text).toBe('The fee is 900');
  });

  it.each([
    { rotate: 90, box: { x0: 697, x1: 711, y0: 72 } },
    { rotate: 180, box: { x0: 513, x1: 540, y0: 697 } },
    { rotate: 270, box: { x0: 81, x1: 95, y0: 513 } },
  ])('follow the page when it is rotated by $rotate', async ({ rotate, box }) => {
    const page = await readOnlyPage({ pages: [{ rotate, content: line('Total', 72, 700) }] });
    expect([page.width, page.height]).toEqual(rotate === 180 ? [612, 792] : [792, 612]);
    expect(page.words[0]).toMatchObject({ x0: close(box.x0), x1: close(box.x1), y0: close(box.y0) });
  });

  it('run upright on a rotated page with turned text', async () => {
    const content = 'BT /F1 12 Tf 0 1 -1 0 100 72 Tm (Turned text) Tj ET';
    const page = await readOnlyPage({ pages: [{ rotate: 90, content }] });
    expect(page.text).toBe('Turned text');
    const [word] = page.words;
    expect(word).toMatchObject({ x0: close(72), y1: close(102) });
    expect(word!.x1 - word!.x0).toBeGreaterThan(30);
    expect(word!.y1 - word!.y0).toBeLessThan(14);
  });

  it('count from the corner of the crop box', async () => {
    const content = line('Inside', 110, 210) + line('Outside', 20, 20);
    const page = await readOnlyPage({ pages: [{ content, cropBox: [100, 200, 400, 500] }] });
    expect(page).toMatchObject({ width: 300, height: 300, text: 'Inside', hidden_text: 'Outside'.length });
    expect(page.words[0]).toMatchObject({ x0: close(10), y1: close(293) });
  });

  it('are joined from spaced letters', async () => {
    const content = 'BT /F1 12 Tf 4 Tc 72 700 Td (INVOICE NUMBER) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['INVOICE', 'NUMBER']);
  });

  it('are not joined from digits in neighbouring cells', async () => {
    const content = 'BT /F1 12 Tf 72 700 Td (1) Tj 20 0 Td (2) Tj 20 0 Td (3) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['1', '2', '3']);
  });

  it('are joined from figures of one width that are drawn one by one', async () => {
    const steps = [8.1, 7.4, 4, 8.7, 8.4, 7.4, 4, 7.9, 7.9];
    const figures = Array.from('4,918,000', (figure, at) => `${steps[at]} 0 Td (${figure}) Tj`).join(' ');
    const page = await readOnlyPage({ pages: [{ content: `BT /F1 12 Tf 72 700 Td (1) Tj ${figures} ET` }] });
    expect(textsOf(page)).toEqual(['14,918,000']);
  });

  it('of two letters are not joined because the gaps between them are equal', async () => {
    const content =
      'BT /F1 12 Tf 72 700 Td (of) Tj 16 0 Td (it) Tj 12 0 Td (a) Tj 12.7 0 Td (to) Tj 16 0 Td (be) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['of', 'it', 'a', 'to', 'be']);
  });

  it('are separated by distance in a file without spaces', async () => {
    const content = 'BT /F1 12 Tf 72 700 Td [(Amount) -300 (due) -20 (s)] TJ ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['Amount', 'dues']);
  });

  it('have their ligatures split', async () => {
    const content = 'BT /F2 12 Tf 72 700 Td (of\\001ce) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['office']);
  });

  it('include the hyphen at the end of a line', async () => {
    const page = await readOnlyPage({ pages: [{ content: line('exam-', 72, 700) + line('ple', 72, 686) }] });
    expect(page.text).toBe('exam-\nple');
  });
});

describe('pages', () => {
  it.each([
    ['drawn letters', '10 w 100 100 m 130 160 l 160 100 l S', true],
    ['drawn letters of a headline', '12 w 100 100 m 140 190 l 180 100 l S', true],
    ['nothing', '', false],
    ['the borders of empty fields', '100 700 300 20 re 100 400 400 200 re S', false],
    ['a coloured surface', '0 0 1 rg 50 50 500 600 re f', false],
  ])('without text and with %s', async (_, content, needsOcr) => {
    expect((await readOnlyPage({ pages: [{ content }] })).needs_ocr).toBe(needsOcr);
  });

  it('are read one at a time, so that a long document needs no more memory than a short one', async () => {
    const pages = Array.from({ length: 300 }, (_, index) => ({ content: line(`Page ${index + 1}`, 72, 700) }));
    const { pageCount, pages: read } = await openPdf(buildPdf({ pages }), defaultParseLimits);
    const texts: string[] = [];
    for (const page of read) texts.push(page.text);
    expect([pageCount, texts[0], texts[299]]).toEqual([300, 'Page 1', 'Page 300']);
  });
});

const fonts = `/Font << /F1 3 0 R /M ${firstExtraObject} 0 R >>`;
const vertical = `<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-V /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 >>] >>`;

const hex = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** A font of drawn letters, a sixth of the size that the text asks for. `width` is that of `a`, in thousandths; `b` has 600. */
function drawnFont(width: number): string[] {
  const glyphs = [`<< /a ${firstExtraObject + 1} 0 R /b ${firstExtraObject + 2} 0 R >>`, `[${width} 600]`];
  return [
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 600 800] /FontMatrix [0.00017 0 0 0.00017 0 0] /FirstChar 97 /LastChar 98 /Widths ${glyphs[1]} /Encoding << /Type /Encoding /Differences [97 /a /b] >> /CharProcs ${glyphs[0]} /Resources << >> >>`,
    stream(`${width} 0 0 0 250 700 d1 0 0 250 700 re f`),
    stream('600 0 0 0 500 700 d1 0 0 90 700 re 160 0 340 700 re f'),
  ];
}

describe('words in a font of drawn letters', () => {
  const read = async (width: number, content: string) => {
    const page = { content: `BT /M 60 Tf 72 700 Td ${content} ET`, resources: fonts };
    return await readOnlyPage({ extra: drawnFont(width), pages: [page] });
  };

  it('are as high as their letters, and no gap between them is lost', async () => {
    // Letters of 6.1 points, 2 points apart.
    const page = await read(600, '(ab) Tj 14 0 Td (ba) Tj');
    expect(textsOf(page)).toEqual(['ab', 'ba']);
    expect(page.words[0]!.y1 - page.words[0]!.y0).toBeLessThan(16);
  });

  it('have all of their equal letters, which PDFium takes for shadows where they are narrow', async () => {
    const page = await read(330, '(baab) Tj 0 -20 Td (abb) Tj 0 -20 Td (bab) Tj 0 -20 Td (aaa) Tj');
    expect(textsOf(page)).toEqual(['baab', 'abb', 'bab', 'aaa']);
  });

  it('are letters although the font says that none of them is higher than nothing', async () => {
    const flat = drawnFont(600).map((part) => part.replaceAll('0.00017', '0.001').replaceAll('700 d1', '1 d1'));
    const page = { content: 'BT /M 10 Tf 72 700 Td (ab) Tj 24 0 Td (ba) Tj ET', resources: fonts };
    expect(textsOf(await readOnlyPage({ extra: flat, pages: [page] }))).toEqual(['ab', 'ba']);
  });
});

describe('letters that are turned over twice', () => {
  it('stand on one line: those of a font that draws them upside down, in text that is upside down', async () => {
    const extra = drawnFont(600).map((object) => object.replace(/Matrix .*? 0 0\]/u, 'Matrix [1 0 0 -1 0 0]'));
    extra[0] = extra[0]!.replace('[0 -200 600 800]', '[0 0 1 -1]');
    extra[2] = stream('600 0 0 0 500 300 d1 0 0 90 300 re 160 0 340 300 re f');
    const content = 'BT /M 0.0102 Tf 1 0 0 -1 72 700 Tm (abba) Tj 30 0 Td (abb) Tj ET';
    const page = await readOnlyPage({ extra, pages: [{ content, resources: fonts }] });
    expect(page.text).toBe('abba abb');
  });
});

it('reads letters once whose outlines are drawn by a font of their own, as browsers do', async () => {
  const outlines = drawnFont(556).map((object) => object.replace(/Matrix .*? 0 0\]/u, 'Matrix [.001 0 0 .001 0 0]'));
  outlines[0] = outlines[0]!.replace('[0 -200 600 800]', '[-500 -600 1100 1300]').replace('556 600', '556 556');
  outlines[1] = stream('556 0 -500 -600 1100 1300 d1 -500 -600 1600 1900 re f');
  outlines[2] = outlines[1];
  const letters = '(a) Tj 11.1 0 Td (b) Tj 11.1 0 Td (b) Tj 11.1 0 Td (a) Tj ET';
  const content = `1 0 0 rg BT /M 20 Tf 72 700 Td ${letters} 0 g BT /F1 20 Tf 72 700 Td ${letters}`;
  const page = await readOnlyPage({ extra: outlines, pages: [{ content, resources: fonts }] });
  expect(page.text).toBe('abba');
});

describe('letters of one text object', () => {
  it('are one word although their signs are drawn narrower than their pitch', async () => {
    const content = 'BT /F1 10 Tf 1.35 Tc 72 700 Td (2) Tj ET BT /F1 10 Tf 1.35 Tc 172 700 Td (33) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['2', '33']);
  });

  it('are one word although they are drawn over each other', async () => {
    const content = 'BT /F1 12 Tf -7 Tc 72 700 Td (WWW) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['WWW']);
  });

  it('are one word although they are drawn narrower than their font', async () => {
    const content = 'BT /F1 12 Tf 40 Tz 72 700 Td (DRAWING NAME) Tj ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['DRAWING', 'NAME']);
  });

  it('are two words where a gap as wide as a space is between them', async () => {
    const content = 'BT /F1 12 Tf 72 700 Td [(Net) -300 (100.00)] TJ ET';
    expect(textsOf(await readOnlyPage({ pages: [{ content }] }))).toEqual(['Net', '100.00']);
  });

  it('are read from top to bottom in vertical writing, and lines from right to left', async () => {
    const column = (text: string, x: number): string => `BT /M 20 Tf ${x} 700 Td ${hex(text)} Tj ET\n`;
    const spaced = `BT /M 20 Tf -18 Tc 220 700 Td ${hex('納品書番号')} Tj ET\n`;
    const content = column('請求書', 300) + column('合計千円', 260) + spaced;
    const page = await readOnlyPage({ extra: [vertical], pages: [{ content, resources: fonts }] });
    expect(textsOf(page)).toEqual(['請求書', '合計千円', '納品書番号']);
    const [first] = page.words;
    expect(first!.y1 - first!.y0).toBeGreaterThan(50);
    expect(first!.x1 - first!.x0).toBeLessThan(30);
  });

  it('are read from top to bottom where each letter of a column is a text object of its own', async () => {
    const content = Array.from('代金引換', (sign, at) => `BT /M 20 Tf 180 ${700 - at * 18} Td ${hex(sign)} Tj ET\n`);
    const page = await readOnlyPage({ extra: [vertical], pages: [{ content: content.join(''), resources: fonts }] });
    expect(textsOf(page)).toEqual(['代金引換']);
  });
});
