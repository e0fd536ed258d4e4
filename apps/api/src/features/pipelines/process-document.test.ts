import type { Document, Extraction } from '@docwright/contract';
import { expect, it } from 'vitest';
import { processDocument, type Processing } from './process-document.ts';

const document = { id: 'a', document_name: 'a.txt', mime_type: 'text/plain' } as Document;
const pipeline = {
  parsers: [{ extensions: ['*'], plugin_id: 'plain', config: {} }],
  chunker: { plugin_id: 'recursive', config: { max_characters: 100 } },
  embedder: null,
};
const { signal } = new AbortController();

function processing(text: string, result: unknown = {}, grounding: object = {}): Processing {
  return {
    storedPages: async () => [{ page_num: 1, width: 0, height: 0, text, words: [], hidden_text: 0, needs_ocr: false }],
    bytes: async () => new Uint8Array(),
    extraction: async () => ({ result, grounding, version: 1 }) as Extraction,
    embeddings: undefined,
  };
}

it('splits many extracted fields into chunks that an embeddings model accepts', async () => {
  const lines = Array.from({ length: 400 }, (_, at) => ({
    position: at,
    what: `Article number ${at} of many`,
    price: at * 3,
  }));
  const extracting = { ...pipeline, extract: { prompt_revid: 'b' } };
  const { chunks } = await processDocument(
    extracting,
    document,
    processing('Bill', { lines, note: 'x '.repeat(9000) }),
    signal,
  );
  const fields = chunks.filter(({ page_num }) => page_num === null);
  expect(Math.max(...fields.map(({ text }) => text.length))).toBeLessThanOrEqual(4000);
  expect(fields.every(({ start, end, text }) => end - start === text.length)).toBe(true);
  expect(fields.map(({ text }) => text).join('\n')).toContain(
    'lines.399.what: Article number 399 of many\nlines.399.price: 1197',
  );
});

it('keeps every digit of a number in its chunk', async () => {
  const grounding = { account: { page_num: null, boxes: [], raw: '12345678901234567890' } };
  const given = processing('Bill', { account: 12_345_678_901_234_567_000 }, grounding);
  const { chunks } = await processDocument({ ...pipeline, extract: { prompt_revid: 'b' } }, document, given, signal);
  expect(chunks.at(-1)?.text).toBe('account: 12345678901234567890');
});

it('yields to the event loop while it makes thousands of chunks', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const { chunks } = await processDocument(
    pipeline,
    document,
    processing('The rent is due in May. '.repeat(40_000)),
    signal,
  );
  clearInterval(timer);
  expect(chunks.length).toBeGreaterThan(9000);
  expect(turns).toBeGreaterThan(3);
});

it('aborts long work on its signal', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('The caller has gone.')), 1);
  const work = processDocument(pipeline, document, processing('The rent is due in May. '.repeat(40_000)), abort.signal);
  await expect(work).rejects.toThrow('The caller has gone.');
});
