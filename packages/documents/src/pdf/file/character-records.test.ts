import { describe, expect, it } from 'vitest';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { buildPdf, line } from '../../testing/build-pdf.ts';
import { copiedRecords, findRecords, recordBytes, recordPlaces } from './character-records.ts';
import { openPdfFile } from './pdf-file.ts';
import { withMemory } from './pdfium.ts';

const lineCount = 40;
const content = Array.from({ length: lineCount }, (_, row) =>
  line(`Line ${row} of the page: quantity 3, price 4.95 (net)`, 50, 780 - row * 15, 8 + (row % 5)),
).join('');

describe('the records of characters in the memory of PDFium', () => {
  it('have the values that PDFium returns, over several blocks', async () => {
    const file = await openPdfFile(buildPdf({ pages: [{ content }] }), defaultParseLimits);
    const { call, integers } = file.pdfium;
    const page = call.FPDF_LoadPage(file.document, 0);
    const textPage = call.FPDFText_LoadPage(page);
    const count = call.FPDFText_CountChars(textPage);
    expect(count).toBeGreaterThan(lineCount * 40);
    withMemory(file.pdfium, recordBytes, (scratch) => {
      const recordOf = findRecords(file.pdfium, textPage, count, scratch)!;
      const copyOf = copiedRecords(file.pdfium, textPage, scratch);
      const read = (record: number): unknown[] =>
        Object.values(recordPlaces).map((place) => integers()[record + place]);
      for (let index = 0; index < count; index += 1) expect(read(recordOf(index))).toEqual(read(copyOf(index)));
      // In the layout of another version, the number of characters is elsewhere.
      expect(findRecords(file.pdfium, textPage, count + 1, scratch)).toBeUndefined();
      expect(findRecords(file.pdfium, textPage + 4, count, scratch)).toBeUndefined();
    });
    call.FPDFText_ClosePage(textPage);
    call.FPDF_ClosePage(page);
    file.close();
  });
});
