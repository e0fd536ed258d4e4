import { strToU8, zipSync } from 'fflate';

const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const sheetMain = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A ZIP file of texts and bytes. */
export function archive(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  );
}

/** The XML of relationships: type and target by id. */
export function relationships(links: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const list = Object.entries(links).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${officeRelations}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packageRelations}">${list.join('')}</Relationships>`;
}

function packageFiles(main: string, contentType: string): Record<string, string> {
  return {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${contentType}.main+xml"/></Types>`,
    '_rels/.rels': relationships({ r1: ['officeDocument', main] }),
  };
}

/** Namespaces for the root of a part of a Word document. */
export const wordNamespaces = `xmlns:w="${word}" xmlns:r="${officeRelations}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`;

/** A Word document with this body. `more` are further parts by path. */
export function docx(body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  return archive({
    ...packageFiles('word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': `<w:document ${wordNamespaces}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** A paragraph of a Word document. */
export function paragraph(text: string, properties = ''): string {
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A sheet: its rows, what precedes and follows them, and attributes such as `state="hidden"`. */
export interface TestSheet {
  rows: string;
  before?: string;
  after?: string;
  attributes?: string;
}

/** A workbook with these sheets by name. `styles` is the content of `styles.xml`, `shared` of `sharedStrings.xml`. */
export function xlsx(
  sheets: Readonly<Record<string, string | TestSheet>>,
  { styles = '', shared = '', properties = '' }: { styles?: string; shared?: string; properties?: string } = {},
): Uint8Array {
  const entries = Object.entries(sheets).map(([name, sheet]) => ({
    name,
    ...(typeof sheet === 'string' ? { rows: sheet } : sheet),
  }));
  const list = entries.map(
    ({ name, attributes = '' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index + 1}" ${attributes}/>`,
  );
  return archive({
    ...packageFiles('xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/workbook.xml': `<workbook xmlns="${sheetMain}" xmlns:r="${officeRelations}">${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        entries.map((_, index) => [`r${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`] as const]),
      ),
      styles: ['styles', 'styles.xml'],
      shared: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/styles.xml': `<styleSheet xmlns="${sheetMain}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${sheetMain}">${shared}</sst>`,
    ...Object.fromEntries(
      entries.map(({ rows, before = '', after = '' }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${sheetMain}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  });
}

/** A cell with a number in a style, and the styles for number formats: the first format has the style 1. */
export function cell(reference: string, value: number | string, style = 0): string {
  return `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
}

/** `styles.xml` with these number formats, which the styles 1, 2, … have. */
export function numberFormats(...formats: readonly string[]): string {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  return `<numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs>`;
}

/** An EMF that draws a text. */
export function emfText(words: string): Uint8Array {
  const file = Buffer.alloc(88 + 76 + 2 * words.length);
  for (const [at, value] of [
    [0, 1],
    [4, 88],
    [40, 0x464d4520],
    [88, 84],
    [92, 76 + 2 * words.length],
    [88 + 44, words.length],
    [88 + 48, 76],
  ] as const)
    file.writeUInt32LE(value, at);
  file.write(words, 88 + 76, 'utf16le');
  return file;
}
