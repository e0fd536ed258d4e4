import type { Document, Extraction, Prompt, Proposal, ReviewQueue } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { documentModel } from '../documents/index.ts';

let bench: EvaluationTestBench;
let client: TestClient;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
  client = await bench.addOrganization();
});
afterAll(async () => bench.stop());

async function upload(name: string): Promise<string> {
  const content = Buffer.from(`value ${name} and 12 pieces`).toString('base64');
  const { body } = await client.post<{ documents: [Document] }>('./documents', { documents: [{ name, content }] });
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0].id;
}
async function extract(id: string, { prompt_revid }: Prompt, result: object): Promise<Extraction> {
  bench.answer(() => result);
  const answer = await client.post<Extraction>(`./documents/${id}/extractions`, { prompt_revid });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** The numbers of values to check that each place shows, by document id; documents without one are left out. */
async function counts(): Promise<Record<string, Record<string, number>>> {
  await bench.services.queueUpdater.work(new AbortController().signal);
  const { documents } = (await client.get<{ documents: Document[] }>('./documents?limit=100')).body;
  const list: Record<string, number> = {};
  const page: Record<string, number> = {};
  const stored: Record<string, number> = {};
  for (const { id, results } of documents) {
    list[id] = results?.to_check ?? 0;
    const { extractions } = (await client.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`)).body;
    // The page of a document loads the review of each result; the newest of a prompt is the one that counts.
    const newest = new Map(extractions.toReversed().map((each) => [each.prompt_id, each.prompt_revid]));
    page[id] = 0;
    for (const revid of newest.values()) {
      const { review = {} } = (await client.get<Extraction>(`./documents/${id}/extractions/${revid}`)).body;
      page[id] += Object.values(review).filter(({ to_check }) => to_check).length;
    }
    const record = await documentModel(bench.connection).findById(id).lean();
    stored[id] = record?.review?.to_check ?? 0;
  }
  const queue = (await client.get<ReviewQueue>('./review?limit=100&lease=false')).body;
  const review: Record<string, number> = {};
  for (const { document_id } of queue.items) review[document_id] = (review[document_id] ?? 0) + 1;
  const above0 = (found: Record<string, number>) => Object.fromEntries(Object.entries(found).filter(([, n]) => n > 0));
  expect(queue.values).toBe(queue.items.length);
  expect(queue.documents).toBe(Object.keys(review).length);
  return { list: above0(list), page: above0(page), stored: above0(stored), review: above0(review) };
}

async function expectOneCount(): Promise<Record<string, number>> {
  const { list, ...others } = await counts();
  for (const [place, found] of Object.entries(others)) expect(found, place).toEqual(list);
  return list!;
}

it('of values to check is the same in the list, on the page, in Review, in filters and in proposals', async () => {
  const [first, second] = [await createInvoicePrompt(client), await createInvoicePrompt(client)];
  const [a, b, c] = [await upload('a'), await upload('b'), await upload('c')];
  const doubtful = { number: 'stands nowhere', total: 999, lines: [] };
  await extract(a, first, doubtful);
  await extract(a, second, { number: 'nor does this', total: 12, lines: [] });
  await extract(b, first, doubtful);
  await extract(c, first, { number: 'c', total: 12, lines: [] });
  const open = await expectOneCount();
  expect(open[a]!).toBeGreaterThan(open[b]!);
  expect(open[b]!).toBeGreaterThan(0);

  // A decision about one value.
  await client.post('./review/decide', {
    decisions: [
      { document_id: b, prompt_revid: first.prompt_revid, path: 'number', version: 1, action: 'confirm', seen: true },
    ],
  });
  const decided = await expectOneCount();
  expect(decided[b]).toBe(open[b]! - 1);

  // A verification, and a later run of another version of the prompt.
  await client.put(`./documents/${a}/extractions/${second.prompt_revid}/verification`, {
    is_verified: true,
    seen: true,
  });
  const verified = await expectOneCount();
  expect(verified[a]!).toBeLessThan(open[a]!);
  const changed = (await client.put<Prompt>(`./prompts/${first.prompt_id}`, { content: 'Read it well.' })).body;
  await extract(b, changed, doubtful);
  await expectOneCount();

  // The filter by stage has the same documents.
  const needing = await client.get<{ documents: Document[] }>('./documents?stage=needs_you&limit=100');
  expect(needing.body.documents.map(({ id }) => id).toSorted()).toEqual(Object.keys(await expectOneCount()).toSorted());

  // A proposal of the same result counts the same values.
  const set = {
    auto_create: { status: 'proposed', run_id: 'r', prompt_id: first.prompt_id, prompt_revid: changed.prompt_revid },
  };
  const { ObjectId } = mongoose.Types;
  await documentModel(bench.connection).updateOne({ _id: new ObjectId(b) }, { $set: set });
  const { proposals } = (await client.get<{ proposals: Proposal[] }>('./proposals')).body;
  expect(proposals.flatMap(({ documents }) => documents).map(({ to_check }) => to_check)).toEqual([
    (await expectOneCount())[b],
  ]);
});
