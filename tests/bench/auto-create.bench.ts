import fs from 'node:fs';
import type { LlmClient, LlmRequest } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { AuditEntry, Document } from '@docwright/contract';
import { buildPdf, line } from '@docwright/documents/testing';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { setup as startDatabase } from '../../apps/api/src/testing/shared-database.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';
import { size } from './short/size.ts';

/**
 * Proposals per minute, and the time of each stage of a document: a hundred one-page invoices are uploaded with auto_create and
 * pass through everything but a real model. The model answers at once, with the seven calls of a good run.
 */

const count = size(100, 1);
const warmUp = size(5, 1);
const atOnce = 10;

const names = ['invoice_number', 'invoice_date', 'due_date', 'supplier', 'customer', 'currency', 'total'];
const properties = Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'], description: name }]));
const schema = { type: 'object', properties, required: names, additionalProperties: false };
const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };

let modelMs = 0;
const llm: LlmClient = {
  async *stream(request) {
    const startedAt = performance.now();
    try {
      yield* scriptedLlm([answer(request)]).stream(request);
    } finally {
      modelMs += performance.now() - startedAt;
    }
  },
};

/** The answer depends on the results so far, so that documents can be processed side by side. */
function answer({ messages, tools = [] }: LlmRequest): ScriptedStep {
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  const last: Record<string, string> = JSON.parse(results.at(-1) ?? '{}');
  if (tools.length === 0) return { text: JSON.stringify(valuesOn(JSON.stringify(messages))) };
  const call = (name: string, args: Record<string, unknown> = {}) => ({ calls: [{ name, args }] });
  const shown = /<kinds>.*?prompt_revid\W+([\da-f]{24})/su.exec(JSON.stringify(messages))?.[1];
  if (shown !== undefined) {
    return results.length === 0 ? call('run_extraction', { prompt_revid: shown }) : { text: 'I used what is there.' };
  }
  switch (results.length) {
    case 0:
      return call('help_schemas');
    case 1:
      return call('validate_schema', { schema: JSON.stringify(response_format) });
    case 2:
      return call('create_schema', { name: 'Invoice', response_format });
    case 3:
      return call('create_prompt', { name: 'Invoice', content: 'Take the values.', schema_id: last['schema_id'] });
    case 4:
      return call('run_extraction', { prompt_revid: last['prompt_revid'] });
    default:
      return { text: 'I made the schema Invoice with seven fields, a prompt for it, and extracted all of them.' };
  }
}

function valuesOn(text: string) {
  const number = /INV-\d+/.exec(text)?.[0] ?? null;
  const values = [number, '2026-03-01', '2026-03-31', 'Northwind Traders', 'Contoso Ltd', 'EUR', '1480.50'];
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
}

function invoice(number: number): string {
  const items = Array.from(
    { length: 25 },
    (_, at) => `Item ${at + 1}  Bolts and nuts M${at}  ${at + 1} pcs  ${at * 3}.50`,
  );
  const head = [`Invoice INV-${number}`, 'Northwind Traders', 'Bill to: Contoso Ltd'];
  const lines = [...head, 'Invoice date: 2026-03-01', 'Due date: 2026-03-31', ...items, 'Total: EUR 1480.50'];
  const content = lines.map((text, at) => line(text, 50, 780 - at * 14, 10)).join('');
  return Buffer.from(buildPdf({ pages: [{ content }] })).toString('base64');
}

const stopDatabase = await startDatabase();
const app = await startTestApp({ llm });
await startJobs(app.services);
await propose(app, 1, warmUp);
modelMs = 0;
const before = { server: process.cpuUsage(), database: databaseSeconds() };
const startedAt = performance.now();
const { ids, uploadMs } = await propose(app, 1000, count);
const wallMs = performance.now() - startedAt;
const cpu = process.cpuUsage(before.server);
const stages = await stagesOf(app, ids);
const seconds = (wallMs / 1000).toFixed(1);
console.log(`${count} documents in ${seconds} s: ${((count / wallMs) * 60_000).toFixed(0)} documents a minute\n`);
console.log('milliseconds a document, on average; documents are worked on side by side');
const row = (name: string, ms: number) => console.log(`${name.padEnd(44)} ${ms.toFixed(1).padStart(9)}`);
row('upload', uploadMs / count);
for (const [name, ms] of stages) row(name, ms);
row('  of it model calls, with their charging', modelMs / count);
console.log('');
row('processor time of the server, its threads in it', (cpu.user + cpu.system) / 1000 / count);
row('processor time of the database', ((databaseSeconds() - before.database) * 1000) / count);
await app.stop();
await stopDatabase?.();
// Otherwise the threads that read documents would wait for more work.
process.exit();

async function propose({ admin }: TestApp, first: number, documents: number) {
  const ids: string[] = [];
  const uploading = performance.now();
  for (let at = 0; at < documents; at += atOnce) {
    const files = Array.from({ length: Math.min(atOnce, documents - at) }, (_, index) => ({
      name: `invoice-${first + at + index}.pdf`,
      content: invoice(first + at + index),
      auto_create: true,
    }));
    const { body } = await admin.post<{ documents: Document[] }>('./documents', { documents: files });
    ids.push(...body.documents.map(({ id }) => id));
  }
  const uploadMs = performance.now() - uploading;
  for (;;) {
    const { body } = await admin.get<{ total_count: number }>('./documents?state=llm_completed&limit=1');
    if (body.total_count >= (first === 1 ? documents : warmUp + documents)) return { ids, uploadMs };
    const { body: failed } = await admin.get<{ documents: Document[] }>('./documents?state=llm_failed&limit=1');
    if (failed.documents[0]) throw new Error(JSON.stringify(failed.documents[0]));
    await new Promise((resolve) => setTimeout(resolve, size(50, 250)));
  }
}

/** From the product's own records: the runs, and each call in the audit log. */
async function stagesOf({ connection, admin }: TestApp, ids: string[]): Promise<[string, number][]> {
  const sums = new Map<string, number>();
  const add = (name: string, ms: number) => sums.set(name, (sums.get(name) ?? 0) + ms / ids.length);
  const runs = await connection.collection('document_runs').find({}).toArray();
  const documents = await connection.collection('documents').find({}).toArray();
  for (const document of documents.filter(({ _id }) => ids.includes(String(_id)))) {
    const run = runs.find(({ document_id }) => String(document_id) === String(document['_id']))!;
    add('until its text is read', run['queued_at'] - document['upload_date']);
    add('until a worker takes it', run['started_at'] - run['queued_at']);
    add('its run', run['ended_at'] - run['started_at']);
  }
  const entries: AuditEntry[] = [];
  for (let skip = 0; ; skip += 100) {
    const { body } = await admin.get<{ entries: AuditEntry[] }>(`./audit?limit=100&skip=${skip}`);
    entries.push(...body.entries.filter(({ document_id }) => document_id !== undefined && ids.includes(document_id)));
    if (body.entries.length < 100) break;
  }
  const proposed = new Map(entries.filter(({ kind }) => kind === 'proposed').map((entry) => [entry.call_id, entry]));
  for (const { kind, call_id, tool, at } of entries) {
    if (kind === 'executed') add(`  of it ${tool}`, Date.parse(at) - Date.parse(proposed.get(call_id)?.at ?? at));
  }
  return [...sums];
}

/** Of the child process, as Linux counts it; NaN elsewhere. */
function databaseSeconds(): number {
  try {
    const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const ticks = children.map((pid) => {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, each) => sum + each, 0) / 100;
  } catch {
    return Number.NaN;
  }
}
