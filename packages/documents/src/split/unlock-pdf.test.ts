import { describe, expect, it } from 'vitest';
import { parseDocument } from '../parsing/parse-document.ts';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { lockedPdf } from '../testing/locked-pdf.ts';
import { unlockPdf } from './extract-pages.ts';

describe('a PDF with a password', () => {
  const bytes = lockedPdf('Total 12.50', 'geheim');
  const read = (file: Uint8Array) => parseDocument({ bytes: file, mimeType: 'application/pdf' });

  it('is read after it was unlocked', async () => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'password_required' });
    const { pages } = await read(await unlockPdf({ bytes, password: 'geheim' }));
    expect(pages.map(({ text }) => text)).toEqual(['Total 12.50']);
  });

  it('that opens without one stays as it is', async () => {
    const open = buildPdf({ pages: [{ content: line('Total', 72, 700) }] });
    expect(Buffer.compare(await unlockPdf({ bytes: open, password: 'geheim' }), open)).toBe(0);
  });

  it('is not unlocked by another one', async () => {
    await expect(unlockPdf({ bytes, password: 'Geheim' })).rejects.toMatchObject({ code: 'wrong_file_password' });
  });
});
