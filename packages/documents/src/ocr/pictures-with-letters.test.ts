import { expect, it } from 'vitest';
import { recognizePage } from './recognize-page.ts';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';

/** A page of text with a picture of other content, `width` points wide and `height` high. */
async function pageWith(content: string, width = 180, height = 100) {
  const { pixels, ...size } = await pictureOf(buildPdf({ pages: [{ content, mediaBox: [0, 0, width, height] }] }), 2);
  const image = stream(
    Buffer.from(pixels).toString('latin1'),
    `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
  );
  const prose = Array.from({ length: 12 }, (_, at) => line('Some words of a letter', 50, 750 - at * 12, 10)).join('');
  const resources = `/XObject << /Im ${firstExtraObject} 0 R >>`;
  return { extra: [image], pages: [{ content: `${prose} q ${width} 0 0 ${height} 50 300 cm /Im Do Q`, resources }] };
}

it.each([
  ['a number', line('12505021', 30, 40, 20), 180, 100],
  ['an amount', line('7.50', 30, 40, 20), 180, 100],
  ['a stamp of light letters', `0.2 g 0 0 180 100 re f 1 g ${line('PAID', 30, 30, 40)}`, 180, 100],
  ['letters higher than those of a headline', line('PAID', 20, 60, 150), 440, 220],
])('a picture beside text is recognised if it has a few letters: %s', async (_, content, width, height) => {
  expect(await readOnlyPage(await pageWith(content, width, height))).toMatchObject({ needs_ocr: true });
});

it.each([
  ['an empty one', ''],
  ['a sign', '20 20 60 60 re f'],
  ['two signs', '20 20 40 40 re f 100 20 40 40 re f'],
  ['a ruled frame', '5 5 170 90 re S 5 50 m 175 50 l S'],
  ['a smooth photo', Array.from({ length: 180 }, (_, x) => `${x / 180} g ${x} 0 1 100 re f`).join('\n')],
])('a picture without letters is not recognised: %s', async (_, content) => {
  expect(await readOnlyPage(await pageWith(content))).toMatchObject({ needs_ocr: false });
});

it('a number that is a picture beside text is read', async () => {
  const bytes = buildPdf(await pageWith(line('12505021', 30, 40, 20)));
  const { page } = await recognizePage({ bytes, mimeType: 'application/pdf', pageNumber: 1, engine: 'tesseract' });
  expect(page).toMatchObject({ read_by: 'mixed', text: expect.stringContaining('12505021') });
});
