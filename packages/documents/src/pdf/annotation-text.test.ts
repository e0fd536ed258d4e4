import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { readOnlyPage } from '../testing/read-pdf.ts';

const drawing = '/Type /XObject /Subtype /Form /BBox [0 0 200 24] /Resources << /Font << /F1 3 0 R >> >>';

/** A page with `Name` at the left and an annotation that draws `text`. */
function readDrawn(text: string, entries: string, page: { cropBox?: readonly number[] } = {}): Promise<Page> {
  return readOnlyPage({
    catalog: `/AcroForm << /Fields [${firstExtraObject + 1} 0 R] >>`,
    extra: [
      stream(line(text, 2, 8), drawing),
      `<< /Type /Annot /Rect [150 690 350 714] /AP << /N ${firstExtraObject} 0 R >> ${entries} >>`,
    ],
    pages: [{ content: line('Name', 72, 698), annotations: [`${firstExtraObject + 1} 0 R`], ...page }],
  });
}

describe('what an annotation draws is text of the page', () => {
  it.each([
    ['a signature', '/Subtype /Widget /FT /Sig /T (s) /V << /Type /Sig >>'],
    ['a stamp', '/Subtype /Stamp'],
    ['a note', '/Subtype /FreeText'],
    ['a text field without a value', '/Subtype /Widget /FT /Tx /T (t)'],
  ])('%s', async (_, entries) => {
    const page = await readDrawn('PAID 2026', entries);
    expect(page.text).toMatch(/^Name {2,}PAID 2026$/);
    expect(page.words[1]!.x0).toBeCloseTo(152, 0);
  });

  it('rather than its contents, and rather than the value of its field', async () => {
    expect((await readDrawn('drawn', '/Subtype /FreeText /Contents (stored)')).text).toMatch(/^Name {2,}drawn$/);
    expect((await readDrawn('1,200', '/Subtype /Widget /FT /Tx /T (t) /V (1200)')).text).toMatch(/^Name {2,}1,200$/);
  });

  it('but not when it is hidden', async () => {
    expect((await readDrawn('PAID', '/Subtype /Stamp /F 2')).text).toBe('Name');
  });

  it('at its place on a page that is cropped', async () => {
    const page = await readDrawn('PAID', '/Subtype /Stamp', { cropBox: [50, 600, 450, 750] });
    expect([page.width, page.height]).toEqual([400, 150]);
    expect(page.words[1]!.x0).toBeCloseTo(102, 0);
  });
});

it('a note without a drawing is read from its rich text', async () => {
  const contents = '/RC (<body><p>Ada &amp; Co</p><p>Policy 7</p></body>)';
  const page = await readOnlyPage({
    pages: [
      { content: '', annotations: [`<< /Type /Annot /Subtype /FreeText /Rect [150 640 350 680] ${contents} >>`] },
    ],
  });
  expect(page.text).toBe('Ada & Co\nPolicy 7');
});
