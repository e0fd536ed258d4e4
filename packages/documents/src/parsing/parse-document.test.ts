import { describe, expect, it } from 'vitest';
import { buildPdf, firstExtraObject, line, stream } from '../testing/build-pdf.ts';
import { parseDocument, parseInBackground, type ParseInput } from './parse-document.ts';

const pdf = (content: string, count = 1): Pick<ParseInput, 'bytes' | 'mimeType'> => ({
  bytes: buildPdf({ pages: Array.from({ length: count }, () => ({ content })) }),
  mimeType: 'application/pdf',
});

/** A form that draws itself a million times: minutes of work in a kilobyte. */
function explosivePdf(): Pick<ParseInput, 'bytes' | 'mimeType'> {
  const levels = 12;
  const forms = Array.from({ length: levels }, (_, level) => {
    const next = level + 1 < levels ? '/X Do '.repeat(12) : line('boom', 10, 10).repeat(20);
    const resources = `/Resources << /Font << /F1 3 0 R >> /XObject << /X ${firstExtraObject + level + 1} 0 R >> >>`;
    return stream(next, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`);
  });
  const bytes = buildPdf({
    extra: forms,
    pages: [{ content: '/X Do', resources: `/XObject << /X ${firstExtraObject} 0 R >>` }],
  });
  return { bytes, mimeType: 'application/pdf' };
}

describe('parsing in a thread', () => {
  it('returns the pages with text and words, and calls `onPage` for each page', async () => {
    const reported: [number, number][] = [];
    const { page_count, pages } = await parseDocument({
      ...pdf(line('Total 12.50', 72, 700), 30),
      onPage: (page, pageCount) => void reported.push([page.page_num, pageCount]),
    });
    expect(page_count).toBe(30);
    expect(pages[29]).toMatchObject({ page_num: 30, text: 'Total 12.50', hidden_text: 0, needs_ocr: false });
    expect(pages[29]?.words.map((word) => word.text)).toEqual(['Total', '12.50']);
    expect(reported).toEqual(Array.from({ length: 30 }, (_, index) => [index + 1, 30]));
  });

  it('waits for the promise of `onPage`, and stores no pages with `keepPages: false`', async () => {
    let open = 0;
    let maxOpen = 0;
    const { pages } = await parseDocument({
      ...pdf(line('Text', 72, 700), 20),
      keepPages: false,
      onPage: async () => {
        open += 1;
        maxOpen = Math.max(maxOpen, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
      },
    });
    expect([pages, maxOpen]).toEqual([[], 1]);
  });

  it('stops with the error that `onPage` threw', async () => {
    const onPage = (): never => {
      throw new Error('disk full');
    };
    await expect(parseDocument({ ...pdf(line('Text', 72, 700)), onPage })).rejects.toThrow('disk full');
  });

  it('stops a document that takes too long, while another is read', async () => {
    const [hostile, other] = await Promise.allSettled([
      parseDocument({ ...explosivePdf(), limits: { millisecondsPerPage: 700 } }),
      parseDocument(pdf(line('Unharmed', 72, 700))),
    ]);
    expect(hostile).toMatchObject({ status: 'rejected', reason: { code: 'parse_timeout' } });
    expect(other).toMatchObject({ status: 'fulfilled', value: { pages: [{ text: 'Unharmed' }] } });
  });

  it('tells when a thread begins, and reads documents however many background files are read', async () => {
    const stop = new AbortController();
    const text = { bytes: Buffer.from('Hello'), mimeType: 'text/plain' } as const;
    const never = { ...text, signal: stop.signal, onPage: () => new Promise<void>(() => undefined) };
    const background = Array.from({ length: 5 }, () => parseInBackground(never));
    let starts = 0;
    expect((await parseDocument({ ...text, onStart: () => (starts += 1) })).page_count).toBe(1);
    expect(starts).toBe(1);
    stop.abort(new Error('enough'));
    for (const each of background) await expect(each).rejects.toThrow('enough');
  });

  it('stops when the signal aborts', async () => {
    const abort = new AbortController();
    const parsing = parseDocument({ ...explosivePdf(), signal: abort.signal });
    setTimeout(() => abort.abort(new Error('cancelled')), 100);
    await expect(parsing).rejects.toThrow('cancelled');
  });

  it('rejects with the error of the parser', async () => {
    const parsing = parseDocument({ bytes: Buffer.from('%PDF-1.7 junk'), mimeType: 'application/pdf' });
    await expect(parsing).rejects.toMatchObject({ name: 'ParseError', code: 'damaged_file' });
  });

  it.each([
    ['a word without an end', 'text/plain', 'a'.repeat(3_000_000)],
    ['a table of a million columns', 'text/csv', `${'a,'.repeat(1_000_000)}b`],
    ['a quote that is never closed', 'text/csv', `a,"${'b\n'.repeat(1_500_000)}`],
  ] as const)('rejects %s', async (_, mimeType, text) => {
    const parsing = parseDocument({ bytes: Buffer.from(text), mimeType });
    await expect(parsing).rejects.toMatchObject({ code: 'page_too_large' });
  });

  it('rejects a page of too many words', async () => {
    const parsing = parseDocument({ ...pdf(line('one two three', 72, 700)), limits: { pageWords: 2 } });
    await expect(parsing).rejects.toMatchObject({ code: 'page_too_large' });
  });

  it.each([
    ['lines of a text', 'text/plain', 'a line\n'.repeat(200)],
    ['rows of a table', 'text/csv', 'a,b\n'.repeat(2_000)],
    ['brackets of JSON', 'application/json', '['.repeat(20_000)],
    ['paragraphs of a page of the web', 'text/html', '<p>text</p>'.repeat(2_000)],
    ['slides, pictures or pages', 'application/pdf', undefined],
  ] as const)('rejects a document of too many pages: %s', async (_, mimeType, text) => {
    const input = text === undefined ? pdf(line('text', 72, 700), 3) : { bytes: Buffer.from(text), mimeType };
    const parsing = parseDocument({ ...input, limits: { pages: 2 } });
    await expect(parsing).rejects.toMatchObject({
      code: 'too_many_pages',
      message: expect.stringContaining('Split it'),
    });
  });

  it('rejects a document of too many words', async () => {
    const parsing = parseDocument({ ...pdf(line('one two three', 72, 700), 2), limits: { words: 5 } });
    await expect(parsing).rejects.toMatchObject({ code: 'document_too_large' });
  });
});
