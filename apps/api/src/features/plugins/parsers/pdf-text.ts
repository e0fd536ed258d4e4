import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const pdfText = defineParser({
  id: 'pdf_text',
  name: 'PDF text layer',
  description:
    'The text layer of a PDF, exact and fast. A document with scanned pages fails with no_text_layer, so that a fallback such as ocr can read it, unless scanned pages are skipped.',
  reads: ['application/pdf'],
  usualFallback: 'ocr',
  config: z.strictObject({
    skip_scanned_pages: z.boolean().default(false).describe('Leave out pages without a text layer instead of failing.'),
  }),
  async parse(input, { skip_scanned_pages }) {
    const pages = await input.storedPages();
    const isScanned = ({ needs_ocr, words }: (typeof pages)[number]) =>
      needs_ocr || words.some(({ confidence }) => confidence !== undefined);
    const scanned = pages.filter(isScanned).length;
    if (scanned > 0 && (scanned === pages.length || !skip_scanned_pages)) {
      throw new DomainError(
        'unprocessable',
        'no_text_layer',
        `${scanned} of ${pages.length} pages have no text layer. Read such documents with OCR.`,
      );
    }
    return pages.filter((page) => !isScanned(page));
  },
});
