import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import { firstExtraObject, line, stream } from '../testing/build-pdf.ts';
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

describe('a page with annotations', () => {
  it.each([
    ['of its own', false],
    ['of the page tree', true],
  ])('is read with resources %s', async (_, hasTreeResources) => {
    const content = 'BT /F2 12 Tf 72 700 Td (of\\001ce) Tj ET';
    const stamp = stream('BT /F1 12 Tf 2 6 Td (PAID) Tj ET', drawing);
    const annotation = `<< /Type /Annot /Subtype /Stamp /Rect [150 690 350 714] /AP << /N ${firstExtraObject} 0 R >> >>`;
    const page = await readOnlyPage({
      hasTreeResources,
      extra: [stamp, annotation],
      pages: [{ content, annotations: [`${firstExtraObject + 1} 0 R`] }],
    });
    expect(textsOf(page)).toEqual(['office', 'PAID']);
  });

  it('and a layer that is switched off does not show the layer, with and without resources of its own', async () => {
    const content = `BT /F2 12 Tf 72 700 Td (of\\001ce) Tj ET /OC /Layer BDC ${line('Secret', 72, 600)} EMC`;
    const stamp = stream('BT /F1 12 Tf 2 6 Td (PAID) Tj ET', drawing);
    const page = await readOnlyPage({
      hasTreeResources: true,
      catalog: `/OCProperties << /OCGs [${firstExtraObject + 2} 0 R] /D << /OFF [${firstExtraObject + 2} 0 R] >> >>`,
      extra: [
        stamp,
        `<< /Type /Annot /Subtype /Stamp /Rect [150 690 350 714] /AP << /N ${firstExtraObject} 0 R >> >>`,
        '<< /Type /OCG /Name (Secret) >>',
      ],
      pages: [
        {
          content,
          annotations: [`${firstExtraObject + 1} 0 R`],
          resources: `/Properties << /Layer ${firstExtraObject + 2} 0 R >>`,
        },
      ],
    });
    expect(page).toMatchObject({ text: 'office', hidden_text: 'Secret'.length });
  });
});

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

  it('but not when it is only printed, beside one that is seen', async () => {
    const annotation = (at: number, flags: number, place: string) =>
      `<< /Type /Annot /Subtype /Stamp /Rect [${place}] /F ${flags} /AP << /N ${firstExtraObject + at} 0 R >> >>`;
    const page = await readOnlyPage({
      extra: [
        stream(line('SEEN', 2, 8), drawing),
        stream(line('PRINTED', 2, 8), drawing),
        annotation(0, 4, '150 690 350 714'),
        annotation(1, 36, '150 600 350 624'),
      ],
      pages: [
        {
          content: line('Name', 72, 698),
          annotations: [`${firstExtraObject + 2} 0 R`, `${firstExtraObject + 3} 0 R`],
        },
      ],
    });
    expect(page.text).toMatch(/^Name {2,}SEEN$/);
  });

  it('at its place on a page that is cropped', async () => {
    const page = await readDrawn('PAID', '/Subtype /Stamp', { cropBox: [50, 600, 450, 750] });
    expect([page.width, page.height]).toEqual([400, 150]);
    expect(page.words[1]!.x0).toBeCloseTo(102, 0);
  });
});

it('names the fields for signatures, and which of them are signed', async () => {
  const page = await readForm([
    widget('/FT /Sig /T (seller) /V << /Type /Sig >>', '150 690 350 712'),
    widget('/FT /Sig /T (buyer)', '150 600 350 622'),
    widget('/FT /Sig /T (hidden) /F 2', '150 500 350 522'),
  ]);
  expect(page.signatures).toEqual([
    { box: { x0: 150, y0: 80, x1: 350, y1: 102 }, signed: true },
    { box: { x0: 150, y0: 170, x1: 350, y1: 192 }, signed: false },
  ]);
});

it('names attached files and media, unless they are hidden', async () => {
  const spec = '/FS << /Type /Filespec /F (plan.dwg) /UF (plan.dwg) >>';
  const page = await readForm([
    `<< /Type /Annot /Subtype /FileAttachment /Rect [150 690 170 710] ${spec} >>`,
    '<< /Type /Annot /Subtype /RichMedia /Rect [150 600 350 680] >>',
    '<< /Type /Annot /Subtype /Movie /F 2 /Rect [150 400 350 480] >>',
  ]);
  expect(page.unread).toMatchObject([
    { kind: 'embedded_file', name: 'plan.dwg', box: { x0: 150, y0: 82, x1: 170, y1: 102 } },
    { kind: 'media', box: { x0: 150, y0: 112, x1: 350, y1: 192 } },
  ]);
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

describe('a field for a signature whose widget stands below it', () => {
  const made = '/V << /Type /Sig /Contents <00> >>';
  /** Whether each field is read as signed. */
  async function signed(fields: readonly { value: string; drawing?: string }[]): Promise<boolean[] | undefined> {
    const extra = fields.flatMap(({ value, drawing = '' }, index) => {
      const field = firstExtraObject + index * 2;
      return [
        `<< /FT /Sig /T (s${index}) ${value} /Kids [${field + 1} 0 R] >>`,
        widget(`/Parent ${field} 0 R ${drawing}`, `150 ${600 - index * 50} 350 ${620 - index * 50}`),
      ];
    });
    extra.push(stream(line('Ada', 2, 8), drawing));
    const page = await readOnlyPage({
      catalog: `/AcroForm << /Fields [${fields.map((_, index) => `${firstExtraObject + index * 2} 0 R`).join(' ')}] >>`,
      extra,
      pages: [{ content: '', annotations: fields.map((_, index) => `${firstExtraObject + index * 2 + 1} 0 R`) }],
    });
    return page.signatures?.map((field) => field.signed);
  }

  it('is signed as the signatures of the file say', async () => {
    expect(await signed([{ value: made }, { value: made }])).toEqual([true, true]);
    expect(await signed([{ value: '' }])).toEqual([false]);
  });

  it('is signed, where some are, if it draws something', async () => {
    const draws = `/AP << /N ${firstExtraObject + 4} 0 R >>`;
    expect(await signed([{ value: '' }, { value: made, drawing: draws }])).toEqual([false, true]);
  });
});
