import { describe, expect, it } from 'vitest';
import { detectType } from '../detect/detect-type.ts';
import { parseDocument } from '../parsing/parse-document.ts';
import { readerOf } from '../parsing/reader-of.ts';
import { readRtf } from './rtf/open-rtf.ts';
import { defaultParseLimits, type ParseLimits } from '../reader/parse-limits.ts';
import { archive } from '../testing/office-file.ts';

async function read(content: string | Uint8Array, name: string) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const type = await detectType(bytes, name);
  const document = await (await readerOf(type))(bytes, defaultParseLimits);
  const pages = [...document.pages];
  const lines = pages.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '');
  return { ...document, type, pages, lines };
}

describe('RTF', () => {
  it('with encodings, tables, hidden text and destinations that nobody sees', async () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}{\\*\\generator Writer;}{\\info{\\title T}}' +
      "\\pard F\\'fcr 5 \\u8364?\\par{\\f1 \\'d1\\'f7}\\par{\\v secret}{\\*\\unknown x}a\\\\b\\par" +
      '\\trowd\\intbl Item\\cell Price\\cell\\row\\trowd\\intbl Chair\\cell 50.00\\cell\\row\\pard{\\field{\\*\\fldinst DATE}{\\fldrslt 2 March}}\\par}';
    const { type, lines, pages } = await read(rtf, 'a.rtf');
    expect(type).toBe('application/rtf');
    expect(lines).toEqual(['Für 5 €', 'Сч', 'a\\b', 'Item   Price', 'Chair  50.00', '2 March']);
    expect(pages[0]!.hidden_text).toBe('secret'.length);
  });

  it('with the text of boxes, and a last row that does not end', async () => {
    const box = '{\\shp{\\*\\shpinst{\\sp{\\sn t}{\\sv 1}}{\\shptxt \\pard In a box\\par}}}';
    const rtf = `{\\rtf1 Shown${box}\\par\\trowd\\intbl Fax\\cell Phone\\cell }`;
    expect((await read(rtf, 'a.rtf')).lines).toEqual(['Shown', 'In a box', 'Fax  Phone']);
  });

  it('with a sign for data where no group begins, which hides nothing', async () => {
    expect((await read('{\\rtf1{\\f0\\*\\cs7 Shown}{\\*\\cs7 not shown}\\par}', 'a.rtf')).lines).toEqual(['Shown']);
  });

  it('with a picture once that is stored again for old programs', async () => {
    const picture = String.raw`{\pict\wmetafile8 00}`;
    const { unread } = await read(String.raw`{\rtf1{\*\shppict${picture}}{\nonshppict${picture}}\par}`, 'a.rtf');
    expect(unread).toHaveLength(1);
  });

  it('with a floating picture, which is a property of its shape, and not with its copy for old programs', async () => {
    const picture = (hex: string) => String.raw`{\pict\pngblip ${hex}}`;
    const inShape = String.raw`{\*\shpinst\shpwr2{\sp{\sn pib}{\sv ${picture('01')}}}}`;
    const pictures = (shape: string) =>
      readRtf(String.raw`{\rtf1 Before{\shp${shape}} after\par}`).blocks.flatMap((block) =>
        block.kind === 'picture' ? [...block.bytes] : [],
      );
    expect(pictures(inShape)).toEqual([1]);
    expect(pictures(String.raw`${inShape}{\shprslt\par ${picture('02')}}`)).toEqual([1]);
    expect(pictures(String.raw`{\*\shpinst{\sp{\sn x}{\sv 1}}}{\shprslt ${picture('02')}}`)).toEqual([2]);
  });

  it('without the bytes of binary data, and with the signs of symbol fonts', async () => {
    const rtf =
      '{\\rtf1{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}{\\f3\\fcharset128 OpenSymbol;}}Before {\\*\\x\\bin3 }{} }after\\bin2 {} all\\par' +
      "{\\listtext\\f1\\u-3913 ?\\tab}one\\par{\\f1\\u61623\\'b7\\tab}two\\par{\\f2\\u-3844 ?} done\\par{\\f1 b}\\u8805 ?\\par}";
    const { lines } = await read(rtf, 'a.rtf');
    expect(lines.map((line) => line.replaceAll(/\s+/gu, ' '))).toEqual([
      'Before after all',
      '• one',
      '• two',
      '✓ done',
      'β≥',
    ]);
  });

  it('with the fonts of a text after others', async () => {
    const rtf =
      '{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset2 Symbol;}}' +
      "\\f1\\'d1\\'f7 \\f0 f\\'fcr\\par\\f2 b\\pard\\plain  text}";
    expect((await read(rtf, 'a.rtf')).lines).toEqual(['Сч für', 'β text']);
  });

  it('with a table in a cell', async () => {
    const rtf = '{\\rtf1\\trowd\\intbl Net\\nestcell 50.00\\nestcell\\nestrow\\cell Total\\cell\\row}';
    expect((await read(rtf, 'a.rtf')).lines.join(' ').split(/\s+/u)).toEqual(['Net', '50.00', 'Total']);
  });

  it('without an end, and with groups without end, is read as far as it goes', async () => {
    expect((await read(`{\\rtf1 Shown\\par ${'{\\b '.repeat(5_000)}deep`, 'a.rtf')).lines).toEqual(['Shown']);
  });
});

describe('OpenDocument', () => {
  const names = 'urn:oasis:names:tc:opendocument:xmlns';
  const open = (kind: string, body: string, styles = '', more: Record<string, string> = {}): Uint8Array =>
    archive({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': `<office:document-content xmlns:office="${names}:office:1.0"><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
      ...more,
    });

  it('text, with lists, notes, spaces and hidden text', async () => {
    const styles =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="4"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style><style:style style:name="H"><style:text-properties text:display="none"/></style:style>';
    const item = (content: string): string => `<text:list-item>${content}</text:list-item>`;
    const body = `<office:text><text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:p>Total<text:s text:c="2"/>420.00<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>plus VAT</text:p></text:note-body></text:note><text:span text:style-name="H">secret</text:span></text:p><text:list text:style-name="L">${item(`<text:p>Payment</text:p><text:list>${item('<text:p>a fee</text:p>')}${item('<text:p>costs</text:p>')}</text:list>`)}${item('<text:p>End</text:p>')}</text:list></office:text>`;
    const { lines, pages } = await read(open('text', body, styles), 'a.odt');
    expect(lines).toEqual(['Total  420.00¹', '4. Payment', '  (a) a fee', '  (b) costs', '5. End', '¹ plus VAT']);
    expect(pages[0]!.hidden_text).toBe('secret'.length);
  });

  it('formulas and charts inside of a text, instead of their pictures', async () => {
    const object = (name: string): string =>
      `<text:p>Here <draw:frame><draw:object xlink:href="./${name}"/><draw:image xlink:href="./${name}.svm"/></draw:frame></text:p>`;
    const row = (...cells: string[]): string =>
      `<table:table-row>${cells.map((words) => `<table:table-cell><text:p>${words}</text:p></table:table-cell>`).join('')}</table:table-row>`;
    const chart = `<chart:chart><chart:title><text:p>Sales</text:p></chart:title><chart:legend/><chart:plot-area/><table:table><table:table-header-rows>${row('', 'Net')}</table:table-header-rows><table:table-rows>${row('North', '5')}${row('South', '7')}</table:table-rows></table:table></chart:chart>`;
    const { lines, unread } = await read(
      open('text', `<office:text>${object('F')}${object('C')}</office:text>`, '', {
        'F/content.xml': '<math><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation>a over 2</annotation></math>',
        'C/content.xml': `<office:document-content><office:body><office:chart>${chart}</office:chart></office:body></office:document-content>`,
        'F.svm': 'x',
      }),
      'a.odt',
    );
    expect(lines).toEqual(['Here', 'a/2', 'Here', 'Sales', 'Net', 'North  South']);
    expect(unread).toEqual([]);
  });

  it('sheets, with hidden rows, columns and sheets', async () => {
    const cell = (text: string, more = ''): string =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
    const body = `<office:spreadsheet><table:table table:name="S"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/><table:table-row>${cell('Net')}${cell('xx')}${cell('7.5%')}</table:table-row><table:table-row table:visibility="collapse">${cell('yy')}</table:table-row><table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table><table:table table:name="T" table:style-name="ta"><table:table-row>${cell('zz')}</table:table-row></table:table></office:spreadsheet>`;
    const styles = '<style:style style:name="ta"><style:table-properties table:display="false"/></style:style>';
    const { lines, pages } = await read(open('spreadsheet', body, styles), 'a.ods');
    expect(lines).toEqual(['S', 'Net  7.5%']);
    expect(pages[0]!.hidden_text).toBe(6);
  });

  it('text, with the numbers of chapters', async () => {
    const level = (at: number, shown: number): string =>
      `<text:outline-level-style text:level="${at}" style:num-format="1" text:display-levels="${shown}"/>`;
    const styles = `<text:outline-style>${level(1, 1)}${level(2, 2)}</text:outline-style><style:style style:name="N" style:list-style-name=""/>`;
    const heading = (at: number, text: string, more = ''): string =>
      `<text:h text:outline-level="${at}" ${more}>${text}</text:h>`;
    const body = `<office:text>${heading(1, 'Scope', 'text:style-name="N"')}${heading(1, 'Price')}${heading(2, 'Net')}${heading(2, 'Tax')}${heading(1, 'Term')}${heading(2, 'End')}${heading(3, 'Notice')}</office:text>`;
    const { lines } = await read(open('text', body, styles), 'a.odt');
    expect(lines).toEqual(['Scope', '1 Price', '1.1 Net', '1.2 Tax', '2 Term', '2.1 End', 'Notice']);
  });

  it('what sheets and slides share: texts below a sheet, a letterhead, a footer', async () => {
    const masters = (content: string): Record<string, string> => ({
      'styles.xml': `<office:document-styles><office:master-styles><style:master-page style:name="M">${content}</style:master-page></office:master-styles></office:document-styles>`,
    });
    const frame = (text: string, more = ''): string =>
      `<draw:frame ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const sheets = `<office:spreadsheet>${['S', 'T'].map((name) => `<table:table table:name="${name}" table:style-name="T"><table:table-row><table:table-cell>${name === 'S' ? '<text:p>Net</text:p>' : ''}</table:table-cell></table:table-row></table:table>`).join('')}</office:spreadsheet>`;
    const margin =
      '<style:footer><style:region-left><text:p>Reg. 12345</text:p></style:region-left><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>';
    const sheet = open(
      'spreadsheet',
      sheets,
      '<style:style style:name="T" style:master-page-name="M"/>',
      masters(margin),
    );
    expect((await read(sheet, 'a.ods')).lines).toEqual(['S', 'Net', 'Reg. 12345', 'T']);
    const slides = `<office:presentation><presentation:footer-decl presentation:name="f">Confidential</presentation:footer-decl><draw:page draw:name="Winter" draw:master-page-name="M" presentation:use-footer-name="f"><presentation:notes>${frame('3', 'presentation:class="page-number"')}${frame('Say hello', 'presentation:class="notes"')}</presentation:notes>${frame('Offer <text:page-name>&lt;slide-name&gt;</text:page-name>')}${frame('<text:page-number>&lt;number&gt;</text:page-number>')}</draw:page><draw:page draw:name="page2">${frame('<text:page-name>&lt;slide-name&gt;</text:page-name>')}</draw:page></office:presentation>`;
    const letterhead =
      frame('ACME Ltd.') +
      frame('Page foot', 'presentation:class="footer"') +
      frame('Edit', 'presentation:class="title"');
    const slide = open('presentation', slides, '', masters(letterhead));
    expect((await read(slide, 'a.odp')).lines).toEqual([
      'ACME Ltd.',
      'Page foot',
      'Offer Winter',
      '1',
      'Confidential',
      'Notes:',
      'Say hello',
      'Slide 2',
    ]);
  });

  it('with a password is refused with what to do', async () => {
    const manifest = { 'META-INF/manifest.xml': '<manifest:encryption-data/>' };
    await expect(read(open('text', '<office:text/>', '', manifest), 'a.odt')).rejects.toMatchObject({
      code: 'password_required',
    });
  });
});

it('a saved web page is read with its parts', async () => {
  const mhtml =
    'From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org/\nSubject: S\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>F=C3=BCr 5 =E2=82=AC</p>\n--b--\n';
  const { type, lines } = await read(mhtml, 'page');
  expect([type, ...lines]).toEqual(['multipart/related', 'Für 5 €']);
});

describe('data is shown as it is, indented', () => {
  it('XML', async () => {
    const content = 'x'.repeat(300);
    const { type, lines } = await read(
      `<?xml version="1.0"?><Invoice><Line Id="1"><Amt>5.00</Amt><Note/></Line><Text>${content}</Text></Invoice>`,
      'a',
    );
    expect(type).toBe('application/xml');
    expect(lines).toEqual([
      '<?xml version="1.0"?>',
      '<Invoice>',
      ' <Line Id="1">',
      '  <Amt>5.00</Amt>',
      '  <Note/>',
      ' </Line>',
      ` <Text>${content}</Text>`,
      '</Invoice>',
    ]);
  });

  it('JSON, with every digit', async () => {
    const { type, lines } = await read(
      `{"n":12345678901234567890,"a":["x, y",1.50],"t":"${'x'.repeat(300)}"}`,
      'a.json',
    );
    expect(type).toBe('application/json');
    expect(lines.slice(0, 5)).toEqual(['{', ' "n": 12345678901234567890,', ' "a": [', '  "x, y",', '  1.50']);
  });

  it('but a web page that begins as XML does is a web page', async () => {
    expect((await read('<?xml version="1.0"?><!DOCTYPE html><html><p>Hi</p></html>', 'a')).type).toBe('text/html');
  });
});

it.each([
  ['WordDocument', 'DOCX'],
  ['Workbook', 'XLSX'],
  ['PowerPoint Document', 'PPTX'],
])('a file of Office before 2007 is refused with the way to save it: %s', async (stream, current) => {
  const bytes = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from(stream, 'utf16le'),
  ]);
  await expect(detectType(bytes, 'a')).rejects.toMatchObject({
    code: 'legacy_office_file',
    message: expect.stringContaining(`“Save as” and ${current}`),
  });
});

describe('ZIP', () => {
  const files = { 'invoice.csv': 'a;b\n1;2', 'more/note.txt': 'Note', '__MACOSX/._note.txt': 'x', 'Ünïcode.txt': 'U' };
  const limits = { ...defaultParseLimits, files: 2 };

  it('lists its files, each of which is a document of its own', async () => {
    const { type, lines } = await read(archive(files), 'a.zip');
    expect(type).toBe('application/zip');
    expect(lines).toEqual(['Files:', '- invoice.csv', '- more/note.txt', '- Ünïcode.txt']);
  });

  it('passes on its first files and names all others', async () => {
    const passed: [string, string, number][] = [];
    const { unread, pages } = await parseDocument({
      bytes: archive(files),
      mimeType: 'application/zip',
      limits,
      onFile: ({ name, bytes }, index) => void passed.push([name, Buffer.from(bytes).toString(), index]),
    });
    expect(passed).toEqual([
      ['invoice.csv', 'a;b\n1;2', 0],
      ['more/note.txt', 'Note', 1],
    ]);
    expect(unread).toEqual([expect.objectContaining({ kind: 'attachment', name: 'Ünïcode.txt' })]);
    expect(pages).toHaveLength(1);
  });

  it('names a file that needs a password, and passes on the others', async () => {
    const bytes = Buffer.from(archive({ 'a.txt': 'A', 'b.txt': 'B' }));
    const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes[entry + 8]! |= 1;
    const { unread = [], files: passed = [] } = await readWith(bytes, limits);
    expect(unread).toEqual([expect.objectContaining({ kind: 'encrypted_part', name: 'a.txt' })]);
    expect([...passed].map(({ name }) => name)).toEqual(['b.txt']);
  });

  it.each([
    ['that unpacks to more than memory allows', archive({ 'a.txt': new Uint8Array(2_000) }), { unpackedBytes: 1_000 }],
    ['with too many files', archive(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, '']))), {}],
  ])('%s is refused', async (_, bytes, more) => {
    await expect(readWith(bytes, { ...limits, ...more })).rejects.toMatchObject({ code: 'document_too_large' });
  });

  it('that is empty or damaged is read as far as it goes', async () => {
    expect((await read(archive({}), 'a.zip')).lines).toEqual(['The archive has no files.']);
    await expect(readWith(archive(files).subarray(0, 100), limits)).rejects.toThrow();
  });

  async function readWith(bytes: Uint8Array, withLimits: ParseLimits) {
    return await (
      await readerOf('application/zip')
    )(bytes, withLimits);
  }
});
