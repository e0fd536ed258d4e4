import { describe, expect, it } from 'vitest';
import type { Page } from '../page/page.ts';
import type { DocumentReader } from '../reader/document-reader.ts';
import { defaultParseLimits, type ParseLimits } from '../reader/parse-limits.ts';
import { openDocx } from './open-docx.ts';
import { docx, paragraph, wordNamespaces as w } from '../testing/office-file.ts';

async function read(open: DocumentReader, bytes: Uint8Array, limits: Partial<ParseLimits> = {}): Promise<Page[]> {
  const { pages } = await open(bytes, { ...defaultParseLimits, ...limits });
  return [...pages];
}

describe('a Word document', () => {
  it('returns headers, body with tables, and footers, and each shared header once', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Item')}${cell('Price')}</w:tr><w:tr>${cell('Chair')}${cell('50.00')}</w:tr></w:tbl>`;
    const [page] = await read(
      openDocx,
      docx(paragraph('Dear reader') + table, {
        'word/header1.xml': `<w:hdr ${w}>${paragraph('Acme Ltd.')}</w:hdr>`,
        'word/header2.xml': `<w:hdr ${w}>${paragraph('Acme Ltd.')}</w:hdr>`,
        'word/footer1.xml': `<w:ftr ${w}>${paragraph('VAT 123 &amp; more')}</w:ftr>`,
      }),
    );
    expect(page!.text.split('\n').filter(Boolean)).toEqual([
      'Acme Ltd.',
      'Dear reader',
      'Item    Price',
      'Chair   50.00',
      'VAT 123 & more',
    ]);
    expect(page!.words.map((word) => word.text)).toContain('50.00');
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
