import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose from 'mongoose';
import { createContentSearches } from '../../apps/api/src/features/find/content-search-repository.ts';
import { documentModel, nameKeyOf } from '../../apps/api/src/features/documents/records/document-model.ts';
import { pageModel } from '../../apps/api/src/features/documents/records/page-model.ts';
import { extractionModel } from '../../apps/api/src/features/extractions/records/extraction-model.ts';
import { connectDatabase } from '../../apps/api/src/platform/database/connection.ts';
import { indexedTerms } from '../../apps/api/src/platform/database/content-search.ts';
import { size } from './short/size.ts';

/**
 * Finding documents by name, words on pages and values among 100,000 documents of one page and one result each, on the
 * embedded database. Limit: a median of 100 ms for a search that few documents match.
 */

const count = size(100_000, 300);
const rounds = size(15, 1);
const organization = new mongoose.Types.ObjectId();
const mixed = (index: number, below: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) % below;
const text = (index: number) =>
  `Invoice INV${index} of customer ${mixed(index, 5_000)}. ${Array.from({ length: 80 }, (_, at) => `word${mixed(index * 97 + at, 20_000)}`).join(' ')}`;

const dataDir = await mkdtemp(join(tmpdir(), 'docwright-find-'));
const database = await startEmbeddedMongo({ dataDir });
const connection = await connectDatabase(database.uri);
try {
  await documentModel(connection).createIndexes();
  await pageModel(connection).createIndexes();
  await extractionModel(connection).createIndexes();
  const started = performance.now();
  for (let at = 0; at < count; at += 1000) await fill(at, Math.min(1000, count - at));
  console.log(`${count} documents in ${Math.round((performance.now() - started) / 1000)} s`);
  const search = createContentSearches(connection)(organization.toHexString());
  const rows: Record<string, object> = {};
  for (const [name, q] of [
    ['a value and a word that one document has', `INV${count >> 1}`],
    ['two words of few pages', `word${mixed(97, 20_000)} word${mixed(98, 20_000)}`],
    ['the beginning of values', 'INV4'],
    ['a word that all pages have', 'invoice'],
    ['none', 'absent'],
  ] as const) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      found = (await search.find({ q, limit: 10 })).length;
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    rows[name] = { found, 'p50 ms': Math.round(times[rounds >> 1]!), 'max ms': Math.round(times.at(-1)!) };
  }
  console.table(rows);
} finally {
  await connection.close();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function fill(from: number, length: number): Promise<void> {
  const organizationId = organization.toHexString();
  const ids = Array.from({ length }, () => new mongoose.Types.ObjectId());
  const own = (at: number) => ({ organization_id: organization, document_id: ids[at]! });
  await connection.collection('documents').insertMany(
    ids.map((_id, at) => {
      const document_name = `Scan ${mixed(from + at, 1_000_000)}.pdf`;
      const stored = { document_name, name_key: nameKeyOf(document_name), deleted_at: null };
      return { _id, organization_id: organization, ...stored, upload_date: new Date(from + at) };
    }),
  );
  await connection.collection('document_pages').insertMany(
    ids.map((_id, at) => {
      const page = {
        page_num: 1,
        text: text(from + at),
        words: '[]',
        search: indexedTerms(organizationId, text(from + at)),
      };
      return { ...own(at), ...page };
    }),
  );
  await connection.collection('extractions').insertMany(
    ids.map((prompt_revid, at) => {
      const number = `INV${from + at}`;
      const search = indexedTerms(organizationId, number, { prefixes: true });
      return { ...own(at), prompt_revid, result: JSON.stringify({ number }), search, changes: 1 };
    }),
  );
}
