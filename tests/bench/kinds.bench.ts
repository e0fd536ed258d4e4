/**
 * Into how many kinds auto-create sorts documents that arrive together, with the demo model:
 *
 *     npm run bench -- kinds [--corpus <folder>,<folder>] [--keep <folder>] [--half development|held_out] [--limit 60]
 *
 * The half `held_out` has the files whose name's MD5 begins with a digit that 3 divides; work on the rules uses the other one.
 * Documents are read first, and their texts are uploaded at once. `--keep` stores recognised pages from run to run.
 * Without folders, generated documents of four kinds are uploaded.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Proposal } from '@docwright/contract';
import { startDemoModel } from '@docwright/demo-model';
import { startJobs } from '../../apps/api/src/process/start-jobs.ts';
import { documentsOfKinds } from '../../apps/api/src/testing/documents-of-kinds.ts';
import { setup as startDatabase } from '../../apps/api/src/testing/shared-database.ts';
import { startTestApp } from '../../apps/api/src/testing/test-app.ts';
import { uploadAll } from '../../apps/api/src/testing/uploads/upload-all.ts';
import { readPages } from './accuracy/read-pages.ts';
import { size } from './short/size.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    keep: { type: 'string' },
    half: { type: 'string', default: 'development' },
    limit: { type: 'string' },
  },
});
/** Recognition and other work on the machine can take long. */
const maxWaitMs = 3_600_000;
const limit = Number(options.limit ?? size(60, 4));

interface Given {
  name: string;
  text: string;
}

const isHeldOut = (name: string) => Number.parseInt(createHash('md5').update(name).digest('hex')[0]!, 16) % 3 === 0;

async function readFolder(folder: string): Promise<Given[]> {
  const given: Given[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (isHeldOut(name) !== (options.half === 'held_out') || /^(?:readme|manifest)\b/iu.test(name)) continue;
    try {
      const bytes = await readFile(path.join(folder, name));
      const pages = await readPages(bytes, name, { engine: 'auto', modelsFolder: undefined, keep: options.keep });
      const text = pages.map((page) => page.text).join('\n');
      if (text.trim() !== '') given.push({ name: `${name}.txt`, text });
    } catch (error) {
      console.log(`${name} was not read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return given;
}

const folders = options.corpus?.split(',') ?? [];
const documents: Given[] = [];
for (const folder of folders) documents.push(...(await readFolder(folder)));
if (folders.length === 0) documents.push(...documentsOfKinds(limit));

const stopDatabase = await startDatabase();
const demo = await startDemoModel({ chunkDelayMs: 0 });
const app = await startTestApp({ llmEndpoint: { baseUrl: demo.baseUrl, apiKey: undefined, model: demo.model } });
await startJobs(app.services);
const startedAt = performance.now();
const ended = await uploadAll(app.admin, documents.slice(0, limit), maxWaitMs);
const { body } = await app.admin.get<{ proposals: Proposal[] }>('./proposals?limit=100');
const failed = ended.filter(({ auto_create }) => auto_create?.status === 'failed');
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(
  `${ended.length} documents, ${body.proposals.length} proposals, ${failed.length} without one, in ${seconds} s\n`,
);
for (const { name, documents: own, fields } of body.proposals) {
  console.log(`${name}: ${own.length} documents\n  ${own.map(({ document_name }) => document_name).join(', ')}`);
  console.log(`  fields: ${fields.map(({ path: field, found_in }) => `${field} (${found_in})`).join(', ')}`);
}
for (const { document_name, auto_create } of failed)
  console.log(`no proposal: ${document_name}: ${auto_create?.error?.message}`);
await app.stop();
await demo.close();
await stopDatabase?.();
// Otherwise the threads that read documents would wait for more work.
process.exit();
