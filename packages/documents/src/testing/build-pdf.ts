/** A page of a hand-written PDF. */
export interface TestPage {
  /** Operators of the content stream. Fonts: /F1 is Helvetica, /F2 is Helvetica with a ligature in its encoding. */
  content: string;
  mediaBox?: readonly number[];
  cropBox?: readonly number[];
  rotate?: number;
  /** Dictionaries or references. */
  annotations?: readonly string[];
  /** More entries of the resources, such as /XObject. */
  resources?: string;
}

/** A hand-written PDF. */
export interface TestDocument {
  pages: readonly TestPage[];
  /** More entries of the catalog. */
  catalog?: string;
  /** More entries of the trailer. */
  trailer?: string;
  /** Whether the pages have their resources from the page tree, and none of their own. */
  hasTreeResources?: boolean;
  /** More objects; the first has the number `firstExtraObject`. */
  extra?: readonly string[];
}

/** The number of the first object of `extra`. Objects 1 to 4 are the catalog, the page tree and the fonts. */
export const firstExtraObject = 5;

/** Builds a PDF that is small enough to be read in a test. */
export function buildPdf({
  pages,
  catalog = '',
  trailer = '',
  hasTreeResources,
  extra = [],
}: TestDocument): Uint8Array {
  const firstPage = firstExtraObject + extra.length;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} ${hasTreeResources ? resourcesOf(pages[0]) : ''} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi] >> >>',
    ...extra,
    ...pages.flatMap((page, index) => [
      pageObject(page, firstPage + index * 2 + 1, !hasTreeResources),
      stream(page.content),
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = file.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** An object with a stream. */
export function stream(content: string, dictionary = ''): string {
  return `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** Operators that show a line of text in Helvetica. `x` and `y` are points from the bottom left. */
export function line(text: string, x: number, y: number, size = 12): string {
  return `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;
}

function resourcesOf(page: TestPage | undefined): string {
  return `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> ${page?.resources ?? ''} >>`;
}

function pageObject(page: TestPage, content: number, hasResources: boolean): string {
  const { mediaBox = [0, 0, 612, 792], cropBox, rotate, annotations } = page;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox.join(' ')}] /Contents ${content} 0 R`,
    hasResources ? resourcesOf(page) : '',
    cropBox ? `/CropBox [${cropBox.join(' ')}]` : '',
    rotate === undefined ? '' : `/Rotate ${rotate}`,
    annotations ? `/Annots [${annotations.join(' ')}]` : '',
    '>>',
  ].join(' ');
}
