import { documentStage, type Document, type Prompt } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import { requireRightStages } from '../../testing/database-use/right-stages.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { documentModel, documentQuery } from '../documents/index.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
  bench.answer(() => ({ number: 'nowhere at all', total: null, lines: [] }));
});
afterAll(async () => bench.stop());

/** Numbers that look random and are the same in every run. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

const signal = () => new AbortController().signal;
const resultOf = (id: string) => `./documents/${id}/extractions/${prompt.prompt_revid}`;
const bulk = async (id: string, action: object) =>
  await client.post('./documents/bulk', { document_ids: [id], expected_count: 1, ...action });

/** What users, jobs and agents do to a document. Those that its state does not allow are refused, and change nothing. */
const changes: Record<string, (id: string) => Promise<unknown>> = {
  read: () => bench.services.documents.textReading.readAll(signal()),
  extract: (id) => client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid }),
  'update the queue': () => bench.services.queueUpdater.work(signal()),
  verify: (id) => client.put(`${resultOf(id)}/verification`, { is_verified: true, seen: true }),
  'verify no more': (id) => client.put(`${resultOf(id)}/verification`, { is_verified: false }),
  edit: (id) => client.patch(resultOf(id), { result: { number: '7', total: null, lines: [] } }),
  release: (id) => client.post(`${resultOf(id)}/release`, {}),
  'publish releases': () => bench.services.releaseUpdater.work(signal()),
  'remove the result': (id) => client.delete(resultOf(id)),
  rename: (id) => client.patch(`./documents/${id}`, { document_name: 'renamed' }),
  delete: (id) => client.delete(`./documents/${id}`),
  restore: (id) => client.post(`./documents/trash/${id}/restore`, {}),
  'delete with others': (id) => bulk(id, { action: 'delete' }),
  propose: (id) => set(id, { $set: { auto_create: { status: 'proposed', run_id: 'r' }, state: 'llm_completed' } }),
  accept: (id) => set(id, { $set: { 'auto_create.status': 'accepted' } }),
  reject: (id) => set(id, { $set: { 'auto_create.status': 'rejected' }, $unset: { releases: 1 } }),
  'undo the proposal': (id) => set(id, { $unset: { auto_create: 1 } }),
  fail: (id) => set(id, [{ $set: { state: 'llm_failed' } }]),
  'note a duplicate': (id) => set(id, { $set: { duplicate_of: new mongoose.Types.ObjectId() } }),
  'make it its own': (id) => set(id, { $unset: { duplicate_of: 1 } }),
};
async function set(id: string, change: object): Promise<void> {
  const own = { _id: new mongoose.Types.ObjectId(id) };
  await documentModel(bench.connection).collection.updateOne(own, change);
}

async function idsIn(stage: (typeof documentStage.options)[number]): Promise<string[]> {
  const own = { organization_id: new mongoose.Types.ObjectId(client.organizationId), deleted_at: null };
  // By all fields that decide it, as if no stage was stored.
  const { filter } = documentQuery(own, { stage, stageFacts: { waiting: [], areKept: false } });
  return (await documentModel(bench.connection).find(filter, { _id: 1 }).lean()).map(({ _id }) => _id.toHexString());
}

it('after each change of a random history, no stage is stored that the other fields do not say, and lists are complete', async () => {
  const numbers = random(35);
  const next = (below: number) => Math.floor((numbers.next().value / 2 ** 32) * below);
  const ids: string[] = [];
  const names = Object.keys(changes);
  const succeeded = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const content = Buffer.from(`value ${round}`).toString('base64');
    const { body: uploaded } = await client.post<{ documents: Document[] }>('./documents', {
      documents: [{ name: `${round}.txt`, content }],
    });
    ids.push(uploaded.documents[0]!.id);
    const mixed = names.map((name) => ({ name, at: next(1_000) })).toSorted((a, b) => a.at - b.at);
    for (const { name } of [{ name: 'read' }, { name: 'extract' }, ...mixed]) {
      const id = ids.at(next(2) === 0 || name === 'extract' ? -1 : next(ids.length))!;
      const answer = await changes[name]!(id);
      const { status = 200 } = Object(answer) as { status?: number };
      if (status < 300) succeeded.add(name);
      await requireRightStages(bench.connection);
    }
    for (const stage of documentStage.options) {
      const { body } = await client.get<{ documents: Document[]; total_count: number }>(`./documents?stage=${stage}`);
      const listed = body.documents.map(({ id }) => id);
      expect(listed.toSorted(), `${stage} after round ${round}`).toEqual((await idsIn(stage)).toSorted());
      expect(body.total_count).toBe(listed.length);
    }
  }
  // What a document does not allow at the time is refused; the same is in every run.
  expect(succeeded.size, [...succeeded].join(', ')).toBeGreaterThan(12);
  expect(succeeded).toContain('extract');
}, 120_000);
