import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { maxCounted } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose from 'mongoose';
import { connectDatabase } from '../../apps/api/src/platform/database/connection.ts';
import { migrate } from '../../apps/api/src/process/migrations/migrate.ts';
import { migrations } from '../../apps/api/src/process/migrations/migrations.ts';
import { documentModel } from '../../apps/api/src/features/documents/records/document-model.ts';
import {
  createDocumentRepositories,
  type DocumentQuery,
} from '../../apps/api/src/features/documents/records/document-repository.ts';
import { size } from './short/size.ts';

/**
 * The document list of an organization with 100,000 documents on the embedded database: a page together with its count. A plain
 * SQLite table with indexes, also read through JavaScript, is measured beside it. Limit: a median of 30 ms for the first page.
 */

const count = Number(process.env['DOCUMENTS'] ?? size(100_000, 300));
const rounds = size(40, 1);
const id = () => new mongoose.Types.ObjectId();
const organization = id();
const tags = { common: id(), rare: id() };
const begin = Date.UTC(2026, 0, 1);

/** Numbers that look random and are the same in every run. */
const mixed = (index: number, below: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) % below;

function record(index: number) {
  const document_name = `${index % 2 ? 'Invoice' : 'contract'} ${mixed(index, 1_000_000)} of customer ${index % 977}${index < count / 20 ? ' archived' : ''}.pdf`;
  const tag_ids = [...(index % 3 === 0 ? [tags.common] : []), ...(index % 1000 === 0 ? [tags.rare] : [])];
  return {
    organization_id: organization,
    document_name,
    mime_type: 'application/pdf',
    size_bytes: 1000 + mixed(index, 5_000_000),
    file_id: id(),
    page_count: 1 + (index % 9),
    state: index % 50 === 0 ? 'ocr_failed' : 'llm_completed',
    tag_ids,
    metadata: { source: 'bench', number: index },
    upload_date: new Date(begin + index * 1000),
    uploaded_by: organization,
  } as const;
}

const page = { skip: 0, limit: 25 };
const queries: { name: string; query: DocumentQuery; sql: string; where?: string }[] = [
  { name: 'first page', query: page, sql: 'upload_date DESC, id DESC' },
  { name: 'deep page', query: { ...page, skip: count - 100 }, sql: 'upload_date DESC, id DESC' },
  { name: 'by name', query: { ...page, sort: 'document_name' }, sql: 'name_key, id' },
  {
    name: 'by size, downwards',
    query: { ...page, sort: 'size_bytes', order: 'desc' },
    sql: 'size_bytes DESC, id DESC',
  },
  {
    name: 'a rare state',
    query: { ...page, state: 'ocr_failed' },
    sql: 'upload_date DESC, id DESC',
    where: "state = 'ocr_failed'",
  },
  {
    name: 'a common state by name',
    query: { ...page, state: 'llm_completed', sort: 'document_name' },
    sql: 'name_key, id',
    where: "state = 'llm_completed'",
  },
  {
    name: 'a tag of a third',
    query: { ...page, tag_ids: [tags.common.toHexString()] },
    sql: 'upload_date DESC, id DESC',
    where: 'common',
  },
  {
    name: 'a tag of a thousandth',
    query: { ...page, tag_ids: [tags.rare.toHexString()] },
    sql: 'upload_date DESC, id DESC',
    where: 'rare',
  },
  {
    name: 'name_search',
    query: { ...page, name_search: 'customer 97' },
    sql: 'upload_date DESC, id DESC',
    where: "name_key LIKE '%customer 97%'",
  },
  {
    name: 'name_search for half of them',
    query: { ...page, name_search: 'INVOICE' },
    sql: 'upload_date DESC, id DESC',
    where: "name_key LIKE '%invoice%'",
  },
  {
    name: 'name_search for half of them, deep',
    query: { ...page, name_search: 'INVOICE', skip: count / 2 - 100 },
    sql: 'upload_date DESC, id DESC',
    where: "name_key LIKE '%invoice%'",
  },
  {
    name: 'name_search for the oldest',
    query: { ...page, name_search: 'archived' },
    sql: 'upload_date DESC, id DESC',
    where: "name_key LIKE '%archived%'",
  },
  {
    name: 'name_search, by name',
    query: { ...page, name_search: 'customer 97', sort: 'document_name' },
    sql: 'name_key, id',
    where: "name_key LIKE '%customer 97%'",
  },
  {
    name: 'name_search in a common state',
    query: { ...page, name_search: 'customer 97', state: 'llm_completed' },
    sql: 'upload_date DESC, id DESC',
    where: "name_key LIKE '%customer 97%' AND state = 'llm_completed'",
  },
];

const dataDir = await mkdtemp(join(tmpdir(), 'docwright-lists-'));
const database = await startEmbeddedMongo({ dataDir });
const connection = await connectDatabase(database.uri);
const plain = new DatabaseSync(join(dataDir, 'plain.sqlite'));
try {
  documentModel(connection);
  await migrate(connection, migrations);
  const filling = performance.now();
  await fill();
  console.log(`${count} documents in ${Math.round((performance.now() - filling) / 1000)} s`);
  fillPlain();
  const documents = createDocumentRepositories(connection)(organization.toHexString());
  const rows: Record<string, Record<string, string | number>> = {};
  for (const { name, query, sql, where } of queries) {
    let total = 0;
    const ours = await times(async () => ({ total_count: total } = await documents.list(query)));
    const filter = where === undefined ? '' : `AND ${where}`;
    const list = plain.prepare(`SELECT * FROM d WHERE deleted_at IS NULL ${filter} ORDER BY ${sql} LIMIT ? OFFSET ?`);
    const counted = plain.prepare(`SELECT count(*) AS n FROM d WHERE deleted_at IS NULL ${filter}`);
    const theirs = await times(() => [list.all(query.limit, query.skip), counted.get()]);
    if (Math.min(Number(counted.get()!['n']), maxCounted) !== total)
      throw new Error(`${name}: ${total} is not what SQLite counts`);
    rows[name] = {
      found: total,
      'p50 ms': ours.p50,
      'p99 ms': ours.p99,
      'SQLite p50': theirs.p50,
      'SQLite p99': theirs.p99,
    };
  }
  console.table(rows);
} finally {
  plain.close();
  await connection.close();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  for (let at = 0; at < count; at += 1000) {
    const records = Array.from({ length: Math.min(1000, count - at) }, (_, index) => record(at + index));
    await documentModel(connection).insertMany(records);
  }
}

function fillPlain(): void {
  plain.exec(`CREATE TABLE d (id INTEGER PRIMARY KEY, name_key TEXT, size_bytes INTEGER, state TEXT, common INTEGER, rare INTEGER,
    upload_date INTEGER, deleted_at INTEGER, rest TEXT)`);
  for (const by of ['upload_date', 'name_key', 'size_bytes'])
    plain.exec(`CREATE INDEX ${by}_ ON d (deleted_at, ${by}, id)`);
  for (const by of ['state', 'common', 'rare'])
    plain.exec(`CREATE INDEX ${by}_ ON d (deleted_at, ${by}, upload_date, id)`);
  const insert = plain.prepare('INSERT INTO d VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)');
  plain.exec('BEGIN');
  for (let index = 0; index < count; index += 1) {
    const { document_name, size_bytes, state, tag_ids, upload_date, ...rest } = record(index);
    const has = (tag: mongoose.Types.ObjectId) => Number(tag_ids.includes(tag));
    const columns = [
      document_name.toLowerCase(),
      size_bytes,
      state,
      has(tags.common),
      has(tags.rare),
      upload_date.getTime(),
    ];
    insert.run(index, ...columns, JSON.stringify(rest));
  }
  plain.exec('COMMIT');
}

async function times(work: () => unknown): Promise<{ p50: number; p99: number }> {
  await work();
  const taken: number[] = [];
  const until = performance.now() + 10_000;
  while (taken.length < rounds && (taken.length < Math.min(3, rounds) || performance.now() < until)) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => Number(taken[Math.min(taken.length - 1, Math.floor(taken.length * share))]!.toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
}
