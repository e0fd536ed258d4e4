import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { resultQuery, summaryQuery } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import mongoose from 'mongoose';
import { connectDatabase } from '../../apps/api/src/platform/database/connection.ts';
import { createStoredCopies } from '../../apps/api/src/platform/database/stored-copies/stored-copy-repository.ts';
import { createResultDocuments } from '../../apps/api/src/features/results/result-documents-repository.ts';
import { exportResults, type ExportFormat } from '../../apps/api/src/features/results/result-export.ts';
import { createIndexUpdates } from '../../apps/api/src/features/results/index-updates.ts';
import { resultIndexModel, resultStampModel } from '../../apps/api/src/features/results/result-index-model.ts';
import { createResultIndex } from '../../apps/api/src/features/results/result-index-repository.ts';
import { createResultService } from '../../apps/api/src/features/results/result-service.ts';
import { createResultTables, createWarmTables } from '../../apps/api/src/features/results/result-tables.ts';
import { isShort, size } from './short/size.ts';

/**
 * Results of a prompt with 100,000 documents on the embedded database, without HTTP. Limits: a first page, filtered and
 * sorted by any column, within 100 ms at the 99th percentile, also the first of each order, once a start has read the table
 * into memory; totals within 300 ms; exports of at least 5,000 rows a second in less than 60 MB more.
 */
const count = size(100_000, 300);
const rounds = Number(process.env['ROUNDS'] ?? size(25, 1));
const id = () => new mongoose.Types.ObjectId();
const organization = id();
const promptId = id().toHexString();
const mixed = (index: number, below: number) => (Math.imul(index + 1, 2_654_435_761) >>> 0) % below;

/** Milliseconds by the clock, and of this process's processor time, which tells more on a machine with other work. */
interface Time {
  ms: number;
  cpu: number;
}
const misses: string[] = [];

const directory = await mkdtemp(join(tmpdir(), 'docwright-results-'));
const database = await startEmbeddedMongo({ dataDir: directory });
const connection = await connectDatabase(database.uri);
try {
  const entries = resultIndexModel(connection);
  await entries.createIndexes();
  for (let from = 0; from < count; from += 2_000) {
    await entries.collection.insertMany(
      Array.from({ length: Math.min(2_000, count - from) }, (_, at) => entryOf(from + at)) as never[],
    );
  }
  const index = createResultIndex(connection);
  const key = { organizationId: organization.toHexString(), promptId };
  /** As in a process that has just started. */
  const freshProcess = () => {
    const tables = createWarmTables(index, createResultTables(index, createStoredCopies(connection)));
    const service = createResultService({
      index,
      indexUpdates: createIndexUpdates(index, console),
      tables,
      documents: createResultDocuments(connection),
      prompts: () => ({ getCurrent: async () => ({ prompt_id: promptId, name: 'Invoice' }) as never }),
    });
    const actor = { organizationId: key.organizationId, userId: id().toHexString(), role: 'admin' } as const;
    return { tables, results: service(actor) };
  };

  await measured('a request that nobody expected', () => freshProcess().results.query(promptId, resultQuery.parse({})));
  await resultStampModel(connection).create({ _id: `${key.organizationId}/${promptId}`, stamp: 1 });
  await index.noteUse(key);
  const { tables, results } = freshProcess();
  const blocks = monitorEventLoopDelay({ resolution: 5 });
  blocks.enable();
  await measured('the table and its orders into memory after a start', () => tables.warm(new AbortController().signal));
  blocks.disable();
  console.log(`longest block meanwhile: ${Math.round(blocks.max / 1e6)} ms`);

  const columns = ['number', 'supplier', 'total', 'currency', 'due_date', 'iban', 'is_paid', 'document_name'];
  const first: Time[] = [];
  const times: Time[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const column of columns) {
      for (const query of [
        { sort: column },
        { sort: `-${column}`, where: 'total>=5000 and supplier~co' },
        { sort: column, where: 'iban=null' },
      ]) {
        (round === 0 ? first : times).push(await timeOf(() => results.query(promptId, resultQuery.parse(query))));
      }
    }
  }
  report('the first page of each order and filter for the first time', first, 100);
  report('first page, filtered and sorted, any column', times, 100);

  const totals: Time[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const group_by of ['supplier', 'currency,is_paid']) {
      const query = summaryQuery.parse({ group_by, sum: 'total' });
      totals.push(await timeOf(() => results.summary(promptId, query)));
    }
  }
  report('totals by one or two columns', totals, 300);

  for (const format of ['csv', 'ndjson', 'xlsx'] as const) await measureExport(format);
  if (!isShort && misses.length > 0) throw new Error(misses.join('\n'));

  async function measureExport(format: ExportFormat): Promise<void> {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const started = performance.now();
    const { body } = exportResults(await results.export(promptId, {}), format);
    let [bytes, peak] = [0, before];
    for await (const chunk of body) {
      bytes += (chunk as Buffer | string).length;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    const seconds = (performance.now() - started) / 1_000;
    delay.disable();
    const rate = Math.round(count / seconds);
    const more = Math.round((peak - before) / 1024 / 1024);
    console.log(
      `${format}: ${rate} rows a second, ${Math.round(bytes / 1024)} kB, ${more} MB more, longest block ${Math.round(delay.max / 1e6)} ms`,
    );
    if (rate < 5_000) misses.push(`${format} has less than 5,000 rows a second.`);
    if (more > 60) misses.push(`${format} takes more than 60 MB.`);
  }
} finally {
  await connection.close();
  await database.stop();
  await rm(directory, { recursive: true });
}

async function timeOf(work: () => Promise<unknown>): Promise<Time> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begun, cpu: (user + system) / 1_000 };
}

async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  const { ms, cpu } = await timeOf(work);
  console.log(`${name}: ${Math.round(ms)} ms, ${Math.round(cpu)} ms of processor time, ${count} results`);
}

function entryOf(at: number) {
  const result = {
    number: `INV-${mixed(at, 1_000_000)}`,
    supplier: `${['Acme', 'Contoso', 'Fabrikam', 'Tailspin'][at % 4]} ${mixed(at, 500)}`,
    total: mixed(at, 1_000_000) / 100,
    currency: ['EUR', 'USD', 'CHF'][at % 3],
    due_date: new Date(Date.UTC(2026, 0, 1) + mixed(at, 365) * 86_400_000).toISOString().slice(0, 10),
    iban: at % 5 === 0 ? null : `DE${mixed(at, 100_000_000)}`,
    is_paid: at % 2 === 0,
  };
  return {
    _id: id(),
    organization_id: organization,
    prompt_id: promptId,
    document_id: id(),
    prompt_revid: id(),
    document_name: `invoice ${mixed(at, 1_000_000)}.pdf`,
    version: 1,
    release: 'open',
    is_verified: at % 10 === 0,
    is_complete: true,
    result: JSON.stringify(result),
    exact: '{}',
    changed_at: new Date(Date.UTC(2026, 0, 1) + at * 1_000),
    writes: 1,
    indexed_at: new Date(),
  };
}

function report(name: string, times: readonly Time[], limit: number): void {
  const at = (share: number, of: (time: Time) => number) => {
    const sorted = times.map(of).toSorted((one, other) => one - other);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  };
  const [ms, cpu] = [({ ms: value }: Time) => value, ({ cpu: value }: Time) => value];
  console.log(
    `${name}: median ${at(0.5, ms)} ms, p99 ${at(0.99, ms)} ms; processor time ${at(0.5, cpu)} and ${at(0.99, cpu)} ms (${times.length} requests)`,
  );
  if (at(0.99, ms) > limit) misses.push(`${name} takes longer than ${limit} ms.`);
}
