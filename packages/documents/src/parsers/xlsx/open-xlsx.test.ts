import { describe, expect, it } from 'vitest';
import type { Page } from '../../page/page.ts';
import { defaultParseLimits, type ParseLimits } from '../../reader/parse-limits.ts';
import { archive, cell, emfText, numberFormats, relationships, xlsx } from '../../testing/office-file.ts';
import { openXlsx } from './open-xlsx.ts';

async function read(bytes: Uint8Array, limits: Partial<ParseLimits> = {}): Promise<Page[]> {
  const { pages } = await openXlsx(bytes, { ...defaultParseLimits, ...limits });
  return [...pages];
}

const text = (reference: string, content: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${content}</t></is></c>`;

async function shown(format: string, value: number | string, properties = ''): Promise<string> {
  const rows = `<row r="1">${cell('A1', value, 1)}</row>`;
  const [page] = await read(xlsx({ S: rows }, { styles: numberFormats(format), properties }));
  return page!.text.split('\n')[2] ?? '';
}

describe('a workbook', () => {
  it('returns each sheet as one page under its name', async () => {
    const pages = await read(
      xlsx({
        Prices: `<row r="1">${text('A1', 'Chair')}${cell('B1', 12.5)}</row>`,
        Notes: `<row r="1">${text('A1', 'Paid')}</row>`,
      }),
    );
    expect(pages.map((page) => page.text)).toEqual(['Prices\n\nChair  12.5', 'Notes\n\nPaid']);
  });

  it('shows a very long sheet on several pages, with every row', async () => {
    const count = 9_000;
    const row = (number: number): string =>
      `<row r="${number}">${cell(`A${number}`, number)}${text(`B${number}`, 'x'.repeat(40))}</row>`;
    const rows = Array.from({ length: count }, (_, at) => row(at + 1)).join('');
    const pages = await read(xlsx({ Long: rows }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.map((page) => page.page_num)).toEqual(pages.map((_, at) => at + 1));
    for (const page of pages) expect(page.text.length).toBeLessThanOrEqual(210_000);
    const numbers = pages
      .flatMap((page) => page.words)
      .flatMap(({ text: word }) => (/^\d+$/.test(word) ? Number(word) : []));
    expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  it('with one cell at the far corner has no million empty lines', async () => {
    const [page] = await read(xlsx({ S: `<row r="1048576">${text('XFD1048576', 'far')}</row>` }));
    expect(page!.text).toBe('S\n\nfar');
  });
});

describe('a cell is shown as Excel shows it', () => {
  it.each([
    ['0.0%', 0.075, '7.5%'],
    ['&quot;$&quot;#,##0.00', 1234.5, '$1,234.50'],
    ['#,##0.00\\ &quot;€&quot;', 1234.5, '1,234.50 €'],
    ['000000', 4711, '004711'],
    ['dd.mm.yyyy', 46095, '14.03.2026'],
    ['hh:mm', 0.3958333333333333, '09:30'],
    ['[h]:mm', 1.1458333333333333, '27:30'],
    ['0 &quot;kg&quot;', 12, '12 kg'],
    ['#,##0.00;(#,##0.00)', -42.5, '(42.50)'],
    ['General', 0.1 + 0.2, '0.3'],
    ['# ?/?', 1.25, '1 1/4'],
    ['#,##0.00\\ [$€-407]', 1215.75, '1,215.75 €'],
    ['[$-407]d. mmmm yyyy', 46095, '14. März 2026'],
  ])('%s of %s', async (format, value, expected) => {
    expect(await shown(format, value)).toBe(expected);
  });

  it('with dates of the calendar that begins in 1904, and durations unchanged', async () => {
    const calendar = '<workbookPr date1904="1"/>';
    expect(await shown('yyyy-mm-dd', 44633, calendar)).toBe('2026-03-14');
    expect(await shown('[h]:mm', 1.5, calendar)).toBe('36:00');
  });

  it('with the dates and times of East Asia, which have numbers alone', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="58"/><xf numFmtId="32"/></cellXfs>';
    const rows = `<row r="1">${cell('A1', '44105', 1)}${cell('B1', '0.5', 2)}</row>`;
    const [page] = await read(xlsx({ S: rows }, { styles }));
    expect(page!.text).toBe('S\n\n10/1/2020  12:00');
  });

  it('and keeps the stored number beside it', async () => {
    const [page] = await read(
      xlsx({ S: `<row r="1">${cell('A1', '4111111111111111', 1)}</row>` }, { styles: numberFormats('0') }),
    );
    expect(page!.words.at(-1)).toMatchObject({ text: '4111111111111110', raw: '4111111111111111' });
  });

  it('with shared texts of several styles, errors and truth values', async () => {
    const shared = '<si><r><t>Net </t></r><r><t>total</t></r><rPh><t>phonetic</t></rPh></si>';
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="C1" t="b"><v>1</v></c></row>';
    const [page] = await read(xlsx({ S: rows }, { shared }));
    expect(page!.text).toBe('S\n\nNet total  #DIV/0!  TRUE');
  });
});

describe('what Excel does not show is hidden text', () => {
  it('in rows, columns and sheets, however they are hidden', async () => {
    const pages = await read(
      xlsx({
        Open: {
          before: '<cols><col min="2" max="2" hidden="1"/><col min="4" max="4" width="0"/></cols>',
          rows: `<row r="1">${text('A1', 'Chair')}${text('B1', 'abc')}${text('D1', 'de')}</row><row r="2" hidden="1">${text('A2', 'fgh')}</row>`,
        },
        Closed: { rows: `<row r="1">${text('A1', 'secret')}</row>`, attributes: 'state="hidden"' },
        Deep: { rows: `<row r="1">${text('A1', 'swordfish')}</row>`, attributes: 'state="veryHidden"' },
      }),
    );
    expect(pages.map((page) => page.text)).toEqual(['Open\n\nChair']);
    expect(pages[0]!.hidden_text).toBe('abcdefghsecretswordfish'.length);
  });

  it('by a format without a sign, and in white letters on no fill', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode=";;;"/></numFmts><fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF000080"/></patternFill></fill></fills>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf fontId="1"/><xf fontId="1" fillId="1"/></cellXfs>';
    const rows = `<row r="1">${cell('A1', 123, 1)}${cell('B1', 45, 2)}${cell('C1', 6, 3)}</row>`;
    const [page] = await read(xlsx({ S: rows }, { styles }));
    expect(page).toMatchObject({ text: 'S\n\n6', hidden_text: 5 });
  });

  it('and a merged cell is shown once', async () => {
    const rows = `<row r="1">${text('A1', 'Region')}${text('B1', 'old')}</row><row r="2">${text('A2', 'North')}${text('B2', '1')}</row>`;
    const [page] = await read(xlsx({ S: { rows, after: '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>' } }));
    expect(page!.text).toBe('S\n\nRegion\nNorth   1');
    expect(page!.hidden_text).toBe(3);
  });
});

describe('a formula without a stored result', () => {
  const sheet = (formula: string): string =>
    `<row r="1">${cell('A1', 100)}</row><row r="2">${cell('A2', 19)}</row><row r="3"><c r="A3"><f>${formula}</f></c></row>`;

  it.each([
    ['A1+A2', '119'],
    ['SUM(A1:A2)*2', '238'],
    ['ROUND(-A1/3,2)', '-33.33'],
    ['A1*19%', '19'],
    ['S!$A$1-A2', '81'],
  ])('is computed where it is arithmetic: %s', async (formula, result) => {
    const [page] = await read(xlsx({ S: sheet(formula) }));
    expect(page!.text.split('\n').at(-1)).toBe(result);
    expect(page!.unread).toBeUndefined();
  });

  it.each(['VLOOKUP(A1,A1:A2,1)', 'A3+1', 'A1+', 'NOW()', '(((', 'SUM(A1:XFD1048576)'])(
    'is named otherwise: %s',
    async (formula) => {
      const [page] = await read(xlsx({ S: sheet(formula) }));
      expect(page!.text).toBe('S\n\n100\n19');
      expect(page!.unread).toEqual([expect.objectContaining({ kind: 'formula', name: 'A3', page_num: 1 })]);
    },
  );
});

it('a damaged workbook fails, and one that unpacks to more than the limit is rejected', async () => {
  await expect(read(xlsx({}).subarray(0, 200))).rejects.toThrow();
  await expect(read(xlsx({}))).rejects.toThrow('none of its sheets');
  await expect(read(xlsx({ S: ' '.repeat(2_000_000) }), { unpackedBytes: 1_000_000 })).rejects.toMatchObject({
    code: 'document_too_large',
  });
});

it('a workbook whose elements have prefixes of their own is read', async () => {
  const main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const file = archive({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<x:workbook ${main}><x:sheets><x:sheet name="Orders" sheetId="1" q:id="r1" xmlns:q="${relations}"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({ r1: ['worksheet', 'worksheets/sheet.xml'] }),
    'xl/worksheets/sheet.xml': `<x:worksheet ${main}><x:sheetData><x:row><x:c t="str"><x:v>Total</x:v></x:c><x:c><x:v>14.28</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
  });
  const [page] = await read(file);
  expect(page?.text).toMatch(/^Orders\n\nTotal +14\.28$/);
});

describe('what is drawn over the cells', () => {
  const vml = (...shapes: string[]): string =>
    `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">${shapes.join('')}</xml>`;
  const note = (row: number, more: string, style = ''): string =>
    `<v:shape style="${style}"><v:textbox><div></div></v:textbox><x:ClientData ObjectType="Note">${more}<x:Row>${row}</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>`;
  const commented = (reference: string, words: string): string =>
    `<comment ref="${reference}"><text><r><t>${words}</t></r></text></comment>`;
  const withParts = (parts: Record<string, string | Uint8Array>, links: Record<string, [string, string]>): Uint8Array =>
    archive({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
      'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relationships({ r1: ['worksheet', 'worksheets/sheet.xml'] }),
      'xl/worksheets/sheet.xml': `<worksheet><sheetData><row>${text('A1', 'Chair')}</row></sheetData></worksheet>`,
      'xl/worksheets/_rels/sheet.xml.rels': relationships(links),
      ...parts,
    });

  it('is read once if the list names its sheet twice', async () => {
    const file = withParts(
      {
        'xl/workbook.xml':
          '<workbook><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/><sheet name="U" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relationships({
          r1: ['worksheet', 'worksheets/sheet.xml'],
          r2: ['worksheet', 'worksheets/sheet.xml'],
        }),
      },
      {},
    );
    expect((await read(file)).map((page) => page.text)).toEqual(['S\n\nChair']);
  });

  it('is read: comments that stay open, controls, and what a picture of an embedded file writes', async () => {
    const file = withParts(
      {
        'xl/drawing.vml': vml(
          note(0, '<x:Visible/>'),
          note(1, '', 'position:absolute;visibility:hidden'),
          '<v:shape><v:textbox><div><font>Send</font></div></v:textbox><x:ClientData ObjectType="Button"/></v:shape>',
          '<v:shape><v:imagedata o:relid="r1"/><x:ClientData ObjectType="Pict"/></v:shape>',
        ),
        'xl/_rels/drawing.vml.rels': relationships({ r1: ['image', 'media/image1.emf'] }),
        'xl/media/image1.emf': emfText('Offer.pdf'),
        'xl/comments.xml': `<comments><commentList>${commented('A1', 'As agreed')}${commented('A2', 'never shown')}</commentList></comments>`,
      },
      { r1: ['vmlDrawing', '../drawing.vml'], r2: ['comments', '../comments.xml'], r3: ['oleObject', '../object.bin'] },
    );
    const [page, ...others] = await read(file);
    expect(page!.text).toBe('S\n\nChair\n\nSend\nAs agreed\nOffer.pdf');
    expect(page!.unread?.map(({ kind }) => kind)).toEqual(['embedded_file']);
    expect(others).toEqual([]);
  });

  it('is read once from a part that several relationships name', async () => {
    const drawn = (words: string): string => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
    const button = '<v:shape><v:textbox><div>Send</div></v:textbox><x:ClientData ObjectType="Button"/></v:shape>';
    const twice = (type: string, path: string): [string, string][] => [
      [type, path],
      [type, path],
    ];
    const links = (...pairs: [string, string][]): Record<string, [string, string]> =>
      Object.fromEntries(pairs.map((pair, index) => [`r${index}`, pair]));
    const file = withParts(
      {
        'xl/drawing.xml': `<xdr:wsDr>${drawn('Approved')}</xdr:wsDr>`,
        'xl/_rels/drawing.xml.rels': relationships(
          links(...twice('diagramData', 'data.xml'), ...twice('chart', 'chart.xml')),
        ),
        'xl/data.xml': `<dgm:dataModel>${drawn('Step')}</dgm:dataModel>`,
        'xl/chart.xml': `<c:chartSpace><c:chart><c:title><c:tx><c:rich>${drawn('Sales')}</c:rich></c:tx></c:title><c:plotArea/></c:chart></c:chartSpace>`,
        'xl/drawing.vml': vml(button),
      },
      links(
        ...twice('drawing', '../drawing.xml'),
        ...twice('vmlDrawing', '../drawing.vml'),
        ...twice('oleObject', '../object.bin'),
      ),
    );
    const [page] = await read(file);
    expect(page!.text).toBe('S\n\nChair\n\nApproved\nStep\nSales\nSend');
    expect(page!.unread).toHaveLength(1);
  });

  it('waits for recognition if it is a picture, behind its sheet; a hidden shape is not read', async () => {
    const shape = (words: string, more = ''): string =>
      `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" ${more}/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
    const file = withParts(
      {
        'xl/drawing.xml': `<xdr:wsDr><xdr:anchor>${shape('Approved')}${shape('secret', 'hidden="1"')}${shape('Approved')}</xdr:anchor></xdr:wsDr>`,
        'xl/_rels/drawing.xml.rels': relationships({ r1: ['image', 'media/image1.gif'] }),
        'xl/media/image1.gif': Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x2c, 1, 0xc8, 0, 0, 0, 0])]),
      },
      { r1: ['drawing', '../drawing.xml'] },
    );
    const opened = await openXlsx(file, defaultParseLimits);
    const pages = [...opened.pages];
    expect(pages.map((page) => page.text)).toEqual(['S\n\nChair\n\nApproved\nApproved', '']);
    expect(pages[1]).toMatchObject({ page_num: 2, needs_ocr: true, width: 300, height: 200 });
    expect(opened.pictureOf?.(2)).toBeDefined();
    expect(opened.pictureOf?.(1)).toBeUndefined();
  });
});

it('what is printed around a sheet is read with its name, without the number of the page, and not of an empty sheet', async () => {
  const around = (content: string, attributes = ''): string => `<headerFooter ${attributes}>${content}</headerFooter>`;
  const rows = `<row r="1">${text('A1', 'Chair')}</row>`;
  const printed =
    '<oddHeader>&amp;LACME &amp;&amp; Co&amp;C&amp;A</oddHeader><oddFooter>&amp;LOffer 12&amp;RPage &amp;P of &amp;N</oddFooter>';
  const other = '<firstFooter>never</firstFooter><evenHeader>even</evenHeader>';
  const pages = await read(
    xlsx({
      Prices: { rows, after: around(printed + other, 'differentOddEven="1"') },
      Empty: { rows: '', after: around(printed) },
    }),
  );
  expect(pages.map((page) => page.text)).toEqual(['Prices\nACME & Co Prices\n\nChair\n\nOffer 12\neven', 'Empty']);
});
