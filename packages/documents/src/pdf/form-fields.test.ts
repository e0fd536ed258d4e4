import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { firstExtraObject, line } from '../testing/build-pdf.ts';
import { readOnlyPage, textsOf } from '../testing/read-pdf.ts';

const widget = (entries: string, rect = '150 690 350 712') =>
  `<< /Type /Annot /Subtype /Widget /Rect [${rect}] ${entries} >>`;

/** A page with `Name` at the left and these fields. */
function readForm(widgets: readonly string[]): Promise<Page> {
  const references = widgets.map((_, index) => `${firstExtraObject + index} 0 R`);
  return readOnlyPage({
    catalog: `/AcroForm << /Fields [${references.join(' ')}] >>`,
    extra: widgets,
    pages: [{ content: line('Name', 72, 697), annotations: references }],
  });
}

describe('form fields', () => {
  it('return their values at their positions', async () => {
    const page = await readForm([widget('/FT /Tx /T (name) /V (Ada Lovelace)')]);
    expect(page.text).toMatch(/^Name {2,}Ada Lovelace$/);
    const ada = page.words.find((word) => word.text === 'Ada')!;
    expect(ada.x0).toBeGreaterThanOrEqual(150);
    expect(ada.y0).toBeGreaterThanOrEqual(792 - 712);
    expect(page.words.at(-1)!.x1).toBeLessThanOrEqual(350);
    expect(page.words.at(-1)!.y1).toBeLessThanOrEqual(792 - 690);
  });

  it('wrap long values within their box', async () => {
    const value = 'One Street by the river\\nand a second line that is much too long for one';
    const page = await readForm([widget(`/FT /Tx /Ff 4096 /T (address) /V (${value})`, '150 600 300 712')]);
    const tops = new Set(page.words.filter((word) => word.x0 >= 150).map((word) => word.y0));
    expect(tops.size).toBeGreaterThan(2);
  });

  it('show whether a box is ticked', async () => {
    const box = '/FT /Btn /AP << /N << /Yes << >> /Off << >> >> >>';
    const page = await readForm([
      widget(`${box} /T (a) /V /Yes /AS /Yes`, '150 690 162 702'),
      widget(`${box} /T (b) /V /Off /AS /Off`, '250 690 262 702'),
    ]);
    expect(textsOf(page)).toEqual(['Name', '☒', '☐']);
  });

  it('that are hidden or secret are left out', async () => {
    const page = await readForm([
      widget('/FT /Tx /F 2 /T (hidden) /V (smuggled in)'),
      widget('/FT /Tx /Ff 8192 /T (pin) /V (1234)'),
    ]);
    expect(page).toMatchObject({ text: 'Name', hidden_text: 'smuggledin'.length });
  });

  it('of the note type count as text of the page', async () => {
    const page = await readForm(['<< /Type /Annot /Subtype /FreeText /Rect [150 640 350 660] /Contents (Approved) >>']);
    expect(page.text).toContain('Approved');
  });
});
