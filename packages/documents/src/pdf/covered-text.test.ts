import { describe, expect, it } from 'vitest';
import { firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { readOnlyPage, textsOf } from '../testing/read-pdf.ts';

const total = line('Total', 72, 700);
const old = line('100.00', 150, 700);
const next = line('900.00', 150, 700);
const covered = '100.00'.length;

describe('text under something that was put over it is hidden', () => {
  it.each([
    ['a white box with other text at the same place', `${old} 1 1 1 rg 140 690 100 24 re f 0 0 0 rg ${next}`],
    ['a box inside of a clip', `${old} q 140 690 100 24 re W n 1 1 1 rg 100 600 300 300 re f Q ${next}`],
    ['thick white letters, then other text', `${old} q 1 1 1 RG 9 w 2 Tr ${old} Q 0 Tr 0 0 0 rg ${next}`],
  ])('%s', async (_, content) => {
    const page = await readOnlyPage({ pages: [{ content: `${total} ${content}` }] });
    expect(textsOf(page)).toEqual(['Total', '900.00']);
    expect(page.hidden_text).toBeGreaterThanOrEqual(covered);
  });

  it.each([
    [
      'a note with a white background',
      'FreeText',
      `1 1 1 rg 0 0 100 24 re f 0 0 0 rg ${line('900.00', 10, 10)}`,
      '900.00',
    ],
    ['a white square', 'Square', '1 1 1 rg 0 0 100 24 re f', undefined],
  ])('%s', async (_, subtype, content, text) => {
    const drawing = '/Type /XObject /Subtype /Form /BBox [0 0 100 24] /Resources << /Font << /F1 3 0 R >> >>';
    const page = await readOnlyPage({
      extra: [
        stream(content, drawing),
        `<< /Type /Annot /Subtype /${subtype} /Rect [140 690 240 714] /AP << /N ${firstExtraObject} 0 R >> >>`,
      ],
      pages: [{ content: `${total} ${old}`, annotations: [`${firstExtraObject + 1} 0 R`] }],
    });
    expect(textsOf(page)).toEqual(text === undefined ? ['Total'] : ['Total', text]);
    expect(page.hidden_text).toBe(covered);
  });
});

describe('text that can be seen is kept', () => {
  it.each([
    ['beside a box', `${old} 1 1 1 rg 250 690 100 24 re f`],
    ['under a marker that is blended', `${old} /G gs 1 1 0 rg 140 690 100 24 re f`],
    ['white on a dark box that covers other text', `${next} 0 0 0.3 rg 140 690 100 24 re f 1 1 1 rg ${old}`],
  ])('%s', async (_, content) => {
    const resources = '/ExtGState << /G << /BM /Multiply >> >>';
    const page = await readOnlyPage({ pages: [{ content: `${total} ${content}`, resources }] });
    expect(textsOf(page)).toEqual(['Total', '100.00']);
  });

  it('to the full stop that is a text of its own', async () => {
    const content = `${total} ${line('.', 98.5, 700)} /G gs 1 1 0 rg 60 690 180 24 re f`;
    const page = await readOnlyPage({ pages: [{ content, resources: '/ExtGState << /G << /BM /Multiply >> >>' }] });
    expect(page.text).toBe('Total.');
  });

  it('where a part of a word is under a marker', async () => {
    const content = `${total} /G gs 1 1 0 rg 60 690 38 24 re f`;
    const page = await readOnlyPage({ pages: [{ content, resources: '/ExtGState << /G << /BM /Multiply >> >>' }] });
    expect(page).toMatchObject({ text: 'Total', hidden_text: 0 });
  });
});

const small = (text: string, x: number): string => `BT /F1 3 Tf ${x} 700 Td (${text}) Tj ET`;
/** A number in small letters, the mark in it drawn by itself. */
const number = (mark: string): string => `${small('0', 100)} ${small(mark, 101.67)} ${small('24', 102.5)}`;
/** Painted over the boxes of the letters, not over the letters. */
const lineAbove = '90 702.7 100 4 re f';

it.each(['.', ',', ':'])(
  'the mark in 0%s24 is seen where a line is above, however small its letters are',
  async (mark) => {
    const page = await readOnlyPage({ pages: [{ content: `${number(mark)} ${lineAbove}` }] });
    expect([textsOf(page), page.hidden_text]).toEqual([[`0${mark}24`], 0]);
  },
);

it('a mark that a box covers is hidden, and so is a white one', async () => {
  const white = `1 1 1 rg ${small('.', 110)}`;
  const covered = `0 g ${small('.', 101.67)} 1 1 1 rg 98 698 8 8 re f 0 g ${small('0', 100)} ${small('24', 102.5)}`;
  const page = await readOnlyPage({ pages: [{ content: `${white} ${covered}` }] });
  expect([textsOf(page), page.hidden_text]).toEqual([['0', '24'], 2]);
});

it('text of a font that is not in the file, of which no pixel says whether it is covered, is named', async () => {
  const korean = `<< /Type /Font /Subtype /Type0 /BaseFont /HYGoThic-Medium /Encoding /UniKS-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYGoThic-Medium /CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor << /Type /FontDescriptor /FontName /HYGoThic-Medium /Flags 6 >> >>] >>`;
  const resources = `/Font << /F1 3 0 R /K ${firstExtraObject} 0 R >>`;
  const show = 'BT /K 12 Tf 150 700 Td <C2F8C774> Tj ET';
  const read = async (content: string) => await readOnlyPage({ extra: [korean], pages: [{ content, resources }] });
  expect(await read(`${total} ${show}`)).toMatchObject({ text: expect.stringContaining('싸이'), hidden_text: 0 });
  const near = await read(`${total} ${show} 1 1 1 rg 140 708 100 4 re f`);
  expect([near.hidden_text, near.unread?.map(({ message }) => message)]).toEqual([
    2,
    [expect.stringContaining('its font is not in the file')],
  ]);
  expect((await read(`${total} ${old} 1 1 1 rg 140 690 100 24 re f`)).unread).toBeUndefined();
});
