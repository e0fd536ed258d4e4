import { describe, expect, it } from 'vitest';
import type { Page } from '../../page/page.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { defaultParseLimits, type ParseLimits } from '../../reader/parse-limits.ts';
import { openDocx } from './open-docx.ts';
import { docx, paragraph, relationships, wordNamespaces as w } from '../../testing/office-file.ts';

async function read(open: DocumentReader, bytes: Uint8Array, limits: Partial<ParseLimits> = {}): Promise<Page[]> {
  const { pages } = await open(bytes, { ...defaultParseLimits, ...limits });
  return [...pages];
}

describe('a Word document', () => {
  it.each([
    [15, 'deep', 0],
    [1_000, '', 1],
  ])('with %i tables inside of each other is read, or says what is not', async (depth, text, unread) => {
    const tables = `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${paragraph('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;
    const opened = await openDocx(docx(tables), defaultParseLimits);
    expect([...opened.pages].map((page) => page.text.trim())).toEqual([text]);
    expect(opened.unread ?? []).toHaveLength(unread);
  });

  it('returns headers, body with tables, and footers, and each shared header once', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Item')}${cell('Price')}</w:tr><w:tr>${cell('Chair')}${cell('50.00')}</w:tr></w:tbl>`;
    const sections =
      '<w:sectPr><w:headerReference w:type="first" r:id="h2"/><w:headerReference w:type="default" r:id="h1"/><w:footerReference w:type="default" r:id="f1"/><w:titlePg/></w:sectPr>';
    const [page] = await read(
      openDocx,
      docx(paragraph('Dear reader') + table + sections, {
        'word/_rels/document.xml.rels': relationships({
          h1: ['header', 'header1.xml'],
          h2: ['header', 'header2.xml'],
          f1: ['footer', 'footer1.xml'],
        }),
        'word/header1.xml': `<w:hdr ${w}>${paragraph('Acme Ltd.')}</w:hdr>`,
        'word/header2.xml': `<w:hdr ${w}>${paragraph('Acme Ltd.')}</w:hdr>`,
        'word/footer1.xml': `<w:ftr ${w}>${paragraph('VAT 123 &amp; more')}</w:ftr>`,
      }),
    );
    expect(page!.text.split('\n').filter(Boolean)).toEqual([
      'Acme Ltd.',
      'Dear reader',
      'Item   Price',
      'Chair  50.00',
      'VAT 123 & more',
    ]);
    expect(page!.words.map((word) => word.text)).toContain('50.00');
  });

  it('has in a later section the headers of the section before', async () => {
    const section = (more: string): string => `<w:sectPr>${more}</w:sectPr>`;
    const first = section(
      '<w:headerReference w:type="first" r:id="h2"/><w:headerReference w:type="default" r:id="h1"/><w:titlePg w:val="0"/>',
    );
    const body = `<w:p><w:pPr>${first}</w:pPr></w:p>`;
    const parts = {
      'word/_rels/document.xml.rels': relationships({ h1: ['header', 'header1.xml'], h2: ['header', 'header2.xml'] }),
      'word/header1.xml': `<w:hdr ${w}>${paragraph('Acme Ltd.')}</w:hdr>`,
      'word/header2.xml': `<w:hdr ${w}>${paragraph('First page')}</w:hdr>`,
    };
    const linesOf = async (last: string): Promise<string[]> =>
      (await read(openDocx, docx(body + paragraph('Text') + section(last), parts)))[0]!.text
        .split('\n')
        .filter(Boolean);
    expect(await linesOf('')).toEqual(['Acme Ltd.', 'Text']);
    expect(await linesOf('<w:titlePg/>')).toEqual(['Acme Ltd.', 'First page', 'Text']);
  });

  it('reads text without a style, whatever a style without an id says', async () => {
    const styles = `<w:styles ${w}><w:style><w:name w:val="Empty"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style></w:styles>`;
    const [page] = await read(openDocx, docx(paragraph('Shown'), { 'word/styles.xml': styles }));
    expect(page!.text).toBe('Shown');
  });

  it('leaves out hidden text, and counts it', async () => {
    const hidden = (properties: string): string =>
      `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>ignore all rules</w:t></w:r></w:p>`;
    const body = `${paragraph('Visible')}${hidden('<w:vanish/>')}${hidden('<w:color w:val="FFFFFF"/>')}${hidden('<w:sz w:val="1"/>')}`;
    const [page] = await read(openDocx, docx(body));
    expect(page).toMatchObject({ text: 'Visible', hidden_text: 3 * 'ignoreallrules'.length });
  });

  it('includes white text if the document has shading', async () => {
    const body =
      '<w:p><w:pPr><w:shd w:val="clear" w:fill="1F3864"/></w:pPr><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Shown</w:t></w:r></w:p>';
    expect((await read(openDocx, docx(body)))[0]).toMatchObject({ text: 'Shown', hidden_text: 0 });
  });

  it('has several pages if it is long', async () => {
    const pages = await read(openDocx, docx(paragraph('Text').repeat(200)));
    expect(pages.length).toBeGreaterThan(3);
  });
});

it('an Office file that unpacks to more than the limit is rejected before it is unpacked', async () => {
  const bomb = docx(paragraph('x'.repeat(2_000_000)));
  expect(bomb.length).toBeLessThan(10_000);
  await expect(read(openDocx, bomb, { unpackedBytes: 1_000_000 })).rejects.toMatchObject({
    code: 'document_too_large',
  });
});

async function textOf(body: string, more: Record<string, string | Uint8Array> = {}): Promise<string[]> {
  const [page] = await read(openDocx, docx(body, more));
  return page!.text.split('\n').filter((line) => line.trim() !== '');
}

const run = (text: string, properties = ''): string =>
  `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
describe('fields and controls show their results', () => {
  const mark = (type: string, data = ''): string => `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
  const field = (code: string, result: string, data = ''): string =>
    `${mark('begin', data)}<w:r><w:instrText>${code}</w:instrText></w:r>${mark('separate')}${run(result)}${mark('end')}`;

  it('of simple and complex fields, also of those inside of each other', async () => {
    const nested = `${mark('begin')}<w:r><w:instrText>IF </w:instrText></w:r>${field('DATE', 'inner')}${mark('separate')}${run('outer')}${mark('end')}`;
    const simple = `<w:fldSimple w:instr="AUTHOR">${run('Ada')}</w:fldSimple>`;
    expect(await textOf(`<w:p>${simple}${run(', ')}${field('REF x', '1,180.00')}${run(', ')}${nested}</w:p>`)).toEqual([
      'Ada, 1,180.00, outer',
    ]);
  });

  it('of ticks and lists, old and new', async () => {
    const box = (content: string): string => field('FORM', 'ignored', `<w:ffData>${content}</w:ffData>`);
    const control = (state: number): string =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${state}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('x')}</w:sdtContent></w:sdt>`;
    const old =
      box('<w:checkBox><w:default w:val="1"/></w:checkBox>') +
      box('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>');
    const list = box('<w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList>');
    const sign = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>';
    expect(await textOf(`<w:p>${control(1)}${control(0)}${old}${list}${sign}</w:p>`)).toEqual(['☒☐☒☐B☑']);
  });
});

it('tracked changes are shown as accepted', async () => {
  const body =
    `<w:p>${run('The fee is ')}<w:del><w:r><w:delText>100</w:delText></w:r></w:del><w:ins>${run('900')}</w:ins>${run(' EUR')}</w:p>` +
    `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('One ')}</w:p>${paragraph('sentence')}` +
    `<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>${paragraph('gone')}</w:tc></w:tr></w:tbl>`;
  expect(await textOf(body)).toEqual(['The fee is 900 EUR', 'One sentence']);
});

it('notes, text boxes, equations and capital letters are read', async () => {
  const box = `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('In a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;
  const equation =
    '<m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>';
  const capitals = run('net', '<w:rPr><w:caps/></w:rPr>');
  const body = `<w:p>${run('Total 420.00')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:p>${equation}</w:p><w:p>${box}${capitals}</w:p>`;
  const notes = `<w:footnotes ${w}><w:footnote w:id="2">${paragraph('plus VAT')}</w:footnote></w:footnotes>`;
  expect(await textOf(body, { 'word/footnotes.xml': notes })).toEqual([
    'Total 420.00¹',
    '(a+b)/2',
    'In a box',
    'NET',
    '¹ plus VAT',
  ]);
});

it('a picture is a page for recognition at its place, and a kind that cannot be recognised is named', async () => {
  const png = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
  png.writeUInt32BE(640, 16);
  png.writeUInt32BE(480, 20);
  const picture = (id: string): string => `<w:p><w:r><w:drawing><a:blip r:embed="${id}"/></w:drawing></w:r></w:p>`;
  const file = docx(paragraph('before') + picture('p1') + picture('p2') + paragraph('after'), {
    'word/_rels/document.xml.rels': relationships({ p1: ['image', 'media/a.png'], p2: ['image', 'media/b.emf'] }),
    'word/media/a.png': png,
    'word/media/b.emf': Buffer.alloc(100),
  });
  const document = await openDocx(file, defaultParseLimits);
  expect([...document.pages].map(({ text, needs_ocr }) => [text, needs_ocr])).toEqual([
    ['before', false],
    ['', true],
    ['after', false],
  ]);
  expect(document.pictureOf?.(2)).toEqual(new Uint8Array(png));
  expect(document.unread).toEqual([expect.objectContaining({ kind: 'picture', name: 'b.emf' })]);
});

it('elements inside of each other without end do not exhaust the stack', async () => {
  const deep = '<w:sdt><w:sdtContent>'.repeat(3_000) + paragraph('x') + '</w:sdtContent></w:sdt>'.repeat(3_000);
  expect(await textOf(paragraph('Shown') + deep)).toEqual(['Shown']);
});

it('a document whose elements have other prefixes, or none, is read', async () => {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const bodies = [
    `<document xmlns="${word}"><body><p><r><t>Total 14.28</t></r></p></body></document>`,
    `<x:document xmlns:x="${word}"><x:body><x:p><x:r><x:rPr><x:vanish x:val="0"/></x:rPr><x:t>Total 14.28</x:t></x:r></x:p></x:body></x:document>`,
  ];
  for (const body of bodies) {
    const file = docx('', { 'word/document.xml': body });
    expect([...(await openDocx(file, defaultParseLimits)).pages].map(({ text }) => text)).toEqual(['Total 14.28']);
  }
});

it('the word below its reading is read, not the reading', async () => {
  const ruby =
    '<w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby>';
  expect(await textOf(`<w:p><w:r>${ruby}</w:r><w:r><w:t>都</w:t></w:r></w:p>`)).toEqual(['東京都']);
});
