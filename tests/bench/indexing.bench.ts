import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { detectType, parseDocument } from '@docwright/documents';
import { createDocumentRepositories } from '../../apps/api/src/features/documents/records/document-repository.ts';
import { createPageRepositories } from '../../apps/api/src/features/documents/reading/page-repository.ts';
import { createChunkRepositories } from '../../apps/api/src/features/collections/chunks/chunk-repository.ts';
import { setup as startDatabase } from '../../apps/api/src/testing/shared-database.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { isShort, size } from './short/size.ts';

/**
 * Collections: pages indexed per minute, the duration of a search in 100,000 chunks, and the documents found in a real corpus.
 * Plain FTS5 in the searching process, the simple alternative for words alone, is measured beside it.
 */

const [documentsToIndex, pagesEach] = [size(100, 1), size(20, 1)];
const [documents, chunksEach] = [size(1_000, 2), size(100, 5)];
const dimensions = 384;
const queries = size(200, 1);
const wordCount = size(30_000, 500);
const commonWordCount = 100;
const corpus = path.resolve(import.meta.dirname, '../../../shared/corpus');
const signal = new AbortController().signal;
const pipeline = { parsers: [{ extensions: ['*'], plugin_id: 'ocr' }], chunker: { plugin_id: 'recursive' } };

let state = 7;
/** The same numbers in every run (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const syllables = 'ba co di fu ga he ki lo mu na pe ri so tu ve wo xa yi zo tra ple sti con mar ent'.split(' ');
const vocabulary = Array.from({ length: wordCount }, () =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
    '',
  ),
);
/** Few words are common and most are rare, as in language (Zipf). */
const word = () => vocabulary[Math.floor(wordCount ** random()) - 1]!;
const text = (count: number) => Array.from({ length: count }, word).join(' ');

function report(what: string, value: string): void {
  console.log(`${what.padEnd(62)}${value}`);
}

async function timesOf(count: number, work: (at: number) => unknown): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await work(at);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const place = (share: number) => `${times[Math.floor(count * share)]!.toFixed(1)} ms`;
  return `p50 ${place(0.5)}   p99 ${place(0.99)}`;
}

const stopDatabase = await startDatabase();
const app = await startTestApp();
const { organizationId, userId, actor } = app.admin;
const documentsOf = createDocumentRepositories(app.connection)(organizationId);
const pagesOf = createPageRepositories(app.connection)(organizationId);
const { sources, pipelines } = app.services;
const { collections, indexing, search } = pipelines;

/** Adds documents that have been read already, with these texts as pages. */
async function addDocuments(named: { name: string; mime_type?: string; pages: string[] }[]): Promise<string[]> {
  const records = named.map(({ name, mime_type = 'application/pdf', pages }) => ({
    document_name: name,
    mime_type,
    size_bytes: 1,
    file_id: 'a'.repeat(24),
    page_count: pages.length,
    tag_ids: [],
    metadata: {},
    uploaded_by: userId,
  }));
  const inserted = await documentsOf.insert(records);
  for (const [at, { id }] of inserted.entries()) {
    const pages = named[at]!.pages.map((page, index) => ({
      page_num: index + 1,
      width: 612,
      height: 792,
      text: page,
      words: [],
      hidden_text: 0,
      needs_ocr: false,
    }));
    if (pages.length > 0) await pagesOf.insert(id, pages);
    await documentsOf.setState([id], 'ocr_completed');
  }
  return inserted.map(({ id }) => id);
}

async function index(document_ids: string[], given: object = pipeline) {
  const source = await sources(actor).create({ name: 'Bench', document_ids });
  const { id } = await collections(actor).apply({ source_id: source.id, name: 'Bench', pipeline: given });
  const startedAt = performance.now();
  await Promise.all([indexing.work(signal), indexing.work(signal)]);
  return { collection: await collections(actor).get(id), seconds: (performance.now() - startedAt) / 1000 };
}

await throughput(app);
await searching(app);
await relevance();
await app.stop();
await stopDatabase?.();

async function throughput({ admin }: TestApp): Promise<void> {
  const pages = () => Array.from({ length: pagesEach }, () => text(350));
  const ids = await addDocuments(
    Array.from({ length: documentsToIndex }, (_, at) => ({ name: `${at}.pdf`, pages: pages() })),
  );
  const { collection, seconds } = await index(ids);
  if (collection.status !== 'ready' || collection.created_by !== admin.userId) throw new Error('it was not indexed');
  const { pages: count, chunks } = collection.progress;
  const rate = Math.round((count / seconds) * 60).toLocaleString('en');
  report(`indexing ${count} pages of 350 words (${chunks} chunks), two workers`, `${rate} pages a minute`);
}

async function searching({ connection }: TestApp): Promise<void> {
  const chunks = createChunkRepositories(connection)(organizationId);
  const ids = await addDocuments(Array.from({ length: documents }, (_, at) => ({ name: `s${at}.pdf`, pages: [] })));
  const source = await sources(actor).create({ name: 'Search', document_ids: ids });
  const { id } = await collections(actor).apply({ source_id: source.id, name: 'Search', pipeline });
  await collections(actor).stop(id);
  await chunks.prepare(id);
  if (!(await chunks.prepareVectors(id, dimensions))) throw new Error('there are no vectors');
  const all: { id: number; text: string }[] = [];
  const vectors: Float32Array[] = [];
  const centres = Array.from({ length: size(200, 5) }, () =>
    Float32Array.from({ length: dimensions }, () => random() - 0.5),
  );
  const near = (at: number) => centres[at % centres.length]!.map((value) => value + (random() - 0.5) * 0.8);
  for (const [at, document] of ids.entries()) {
    const made = Array.from({ length: chunksEach }, (_, place) => ({
      page_num: place + 1,
      start: 0,
      end: 900,
      text: text(120),
    }));
    const theirs = made.map(() => near(Math.floor(random() * centres.length)));
    await chunks.replace(id, document, made, theirs);
    for (const [place, chunk] of made.entries()) all.push({ id: at * chunksEach + place, text: chunk.text });
    vectors.push(...theirs);
  }
  report(`chunks`, all.length.toLocaleString('en'));
  // The generated words have no stop words: the most common ones are left out of queries in their place.
  const common = new Set(vocabulary.slice(0, commonWordCount));
  const asked = Array.from({ length: queries }, () => {
    const words = all[Math.floor(random() * all.length)]!.text.split(' ').filter((one) => !common.has(one));
    return words.slice(0, 3).join(' ');
  });
  const ask = (at: number) => search(actor)(id, { query: asked[at]!, top_k: 10 });
  report('search for three words, by the service', await timesOf(queries, ask));
  const anyone = (at: number) => search(actor)(id, { query: vocabulary[at]!, top_k: 10 });
  report('search for a word that stands in most chunks', await timesOf(size(5, 1), anyone));
  const isAsking = new AbortController();
  const pings: number[] = [];
  const pinging = (async () => {
    while (!isAsking.signal.aborted) {
      const startedAt = performance.now();
      await documentsOf.get(ids[0]!);
      pings.push(performance.now() - startedAt);
    }
  })();
  await timesOf(queries, ask);
  isAsking.abort();
  await pinging;
  pings.sort((a, b) => a - b);
  report(
    'a read of one document meanwhile',
    `p50 ${pings[pings.length >> 1]!.toFixed(1)} ms   p99 ${pings[Math.floor(pings.length * 0.99)]!.toFixed(1)} ms`,
  );

  const wanted = Array.from({ length: size(50, 1) }, (_, at) => near(at));
  report(
    `search, vectors of ${dimensions}, by the repository`,
    await timesOf(wanted.length, (at) => chunks.findByVector(id, wanted[at]!, 50)),
  );
  report('  of the true 10 nearest among its first 10', `${Math.round((await recall(wanted)) * 100)} %`);

  const plain = new DatabaseSync(':memory:');
  plain.exec(`CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61'); BEGIN`);
  const insert = plain.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
  for (const chunk of all) insert.run(chunk.id, chunk.text);
  plain.exec('COMMIT');
  const select = plain.prepare('SELECT rowid, x FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10');
  report(
    'FTS5 in this process, the same three words',
    await timesOf(queries, (at) => select.all(asked[at]!.split(' ').join(' OR '))),
  );
  plain.close();

  async function recall(of: Float32Array[]): Promise<number> {
    const cosine = (a: Float32Array, b: Float32Array) => {
      let [dot, one, other] = [0, 0, 0];
      for (let at = 0; at < a.length; at++) {
        dot += a[at]! * b[at]!;
        one += a[at]! ** 2;
        other += b[at]! ** 2;
      }
      return dot / Math.sqrt(one * other);
    };
    let found = 0;
    for (const vector of of.slice(0, 10)) {
      const exact = vectors.map((other, at) => [at, cosine(vector, other)] as const).toSorted((a, b) => b[1] - a[1]);
      const best = new Set(exact.slice(0, 10).map(([at]) => `${ids[Math.floor(at / chunksEach)]}-${at % chunksEach}`));
      const hits = (await chunks.findByVector(id, vector, 50)) ?? [];
      found += hits.slice(0, 10).filter((hit) => best.has(hit.id)).length;
    }
    return found / 100;
  }
}

/** Searches for each document with a text layer and a known seller, by seller and number. */
async function relevance(): Promise<void> {
  if (isShort) return report('relevance', 'left out of the short form');
  if (!fs.existsSync(corpus)) return report('relevance', 'skipped: the corpus is not on this machine');
  const entries: { file: string; has_text_layer: boolean; expected: Record<string, unknown> | null }[] = JSON.parse(
    fs.readFileSync(path.join(corpus, 'manifest.json'), 'utf8'),
  );
  const read: { name: string; mime_type: string; pages: string[] }[] = [];
  for (const { file } of entries.filter(({ has_text_layer }) => has_text_layer)) {
    const bytes = fs.readFileSync(path.join(corpus, file));
    try {
      const mimeType = await detectType(bytes, file);
      const { pages } = await parseDocument({ bytes, mimeType });
      if (pages.some((page) => page.text.trim() !== '')) {
        read.push({ name: file, mime_type: mimeType, pages: pages.map((page) => page.text) });
      }
    } catch {
      // The corpus also has unreadable files.
    }
  }
  const given = {
    parsers: [
      { extensions: ['pdf'], plugin_id: 'ocr' },
      { extensions: ['docx'], plugin_id: 'docx' },
      { extensions: ['csv', 'xlsx'], plugin_id: 'spreadsheet' },
      { extensions: ['html'], plugin_id: 'html' },
      { extensions: ['eml'], plugin_id: 'email' },
      { extensions: ['*'], plugin_id: 'plain' },
    ],
    chunker: { plugin_id: 'recursive' },
  };
  const { collection } = await index(await addDocuments(read), given);
  const ranks: number[] = [];
  for (const { file, expected } of entries.filter((entry) => read.some(({ name }) => name === entry.file))) {
    const { seller_name, invoice_number } = expected ?? {};
    if (typeof seller_name !== 'string' || typeof invoice_number !== 'string') continue;
    const query = `invoice ${invoice_number} from ${seller_name.replaceAll(/["-]/g, ' ')}`;
    const { results } = await search(actor)(collection.id, { query, top_k: 20 });
    const names = [...new Set(results.map(({ document_name }) => document_name))];
    ranks.push(names.indexOf(file) + 1);
  }
  const share = (most: number) => ranks.filter((rank) => rank >= 1 && rank <= most).length;
  const { documents: count, failed } = collection.progress;
  report(
    `real documents (${count}, ${failed} failed), asked for by number and seller`,
    `first ${share(1)} of ${ranks.length}, among three ${share(3)}`,
  );
}
