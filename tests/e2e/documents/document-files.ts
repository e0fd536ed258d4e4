import { strToU8, zipSync } from 'fflate';
import { buildPdf, line, type TestPage } from '../../../packages/documents/src/testing/build-pdf.ts';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

function officeFile(main: string, kind: string, files: Record<string, string>): Uint8Array {
  const type = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  const all = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Override PartName="/${main}" ContentType="${type}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="${main}"/></Relationships>`,
    ...files,
  };
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)])));
}

export function wordFile(text: string): Uint8Array {
  const body = `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  return officeFile('word/document.xml', 'wordprocessingml.document', {
    'word/document.xml': `<w:document ${namespace}><w:body>${body}</w:body></w:document>`,
  });
}

export function excelFile(text: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  return officeFile('xl/workbook.xml', 'spreadsheetml.sheet', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${cell}</sheetData></worksheet>`,
  });
}

/** A grey image on each page, black in its left half, all of one size. */
export function tiffFile(pages: number, size = 64): Uint8Array {
  const pixels = Buffer.alloc(size * size, 0xff);
  for (let row = 0; row < size; row += 1) pixels.fill(0, row * size, row * size + size / 2);
  const tags = (strip: number): [tag: number, value: number][] => [
    [256, size],
    [257, size],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, strip],
    [277, 1],
    [278, size],
    [279, pixels.length],
  ];
  const directoryLength = 2 + tags(0).length * 12 + 4;
  const first = 8 + pixels.length;
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(first, 4);
  const directories = Array.from({ length: pages }, (_, index) => {
    const directory = Buffer.alloc(directoryLength);
    directory.writeUInt16LE(tags(0).length, 0);
    for (const [position, [tag, value]] of tags(8).entries()) {
      directory.writeUInt16LE(tag, 2 + position * 12);
      directory.writeUInt16LE(4, 4 + position * 12);
      directory.writeUInt32LE(1, 6 + position * 12);
      directory.writeUInt32LE(value, 10 + position * 12);
    }
    const next = index === pages - 1 ? 0 : first + (index + 1) * directoryLength;
    directory.writeUInt32LE(next, directoryLength - 4);
    return directory;
  });
  return Buffer.concat([header, pixels, ...directories]);
}

/** The same invoice on a page turned to the right, on one cropped to its middle, and on one turned to the left. */
export function turnedInvoice(): Uint8Array {
  const content = (number: string, total: string, due: string) =>
    line(`Invoice number: ${number}`, 120, 600) +
    line(`Total: ${total}`, 120, 560) +
    line(`Due date: ${due}`, 120, 520);
  const pages: TestPage[] = [
    { rotate: 90, content: content('INV-4711', '-', '-') },
    { cropBox: [100, 400, 500, 700], content: content('-', '99.50', '-') },
    { rotate: 270, cropBox: [60, 300, 560, 700], content: content('-', '-', '2026-03-01') },
  ];
  return buildPdf({ pages });
}

/** Pages of forty numbered rows. */
export function longReport(pages: number): Uint8Array {
  const rows = (page: number) =>
    Array.from({ length: 40 }, (_, row) =>
      line(`Row with the number n${page * 40 + row} and more words`, 72, 660 - row * 15, 11),
    );
  return buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      content: line(`Page ${page + 1} of the long report`, 72, 700, 18) + rows(page).join(''),
    })),
  });
}
