import type { Document, Extraction, Prompt, Proposal, ResultPage, ReviewQueue } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentModel } from '../../apps/api/src/features/documents/index.ts';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../apps/api/src/testing/evaluation-test-bench.ts';
import { connectMcp } from '../../apps/api/src/testing/mcp-test-bench.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';
import { runCaptured } from '../../packages/sdk/src/testing/run-captured.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let mcp: Awaited<ReturnType<typeof connectMcp>>;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
  client = await bench.addOrganization();
  mcp = await connectMcp(bench.address, client);
});
afterAll(async () => {
  await mcp.client.close();
  await bench.stop();
});

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

type Counts = Record<string, number>;

/** What a command of the command line prints as JSON. */
async function command(...args: string[]): Promise<unknown> {
  const env = {
    DOCWRIGHT_URL: bench.address,
    DOCWRIGHT_TOKEN: client.accessToken,
    DOCWRIGHT_ORG: client.organizationId,
  };
  const ran = await runCaptured([...args, '--json'], env);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout) as unknown;
}

/** Adds up numbers by document id, without those that are 0. */
function sumsOf(entries: readonly (readonly [id: string, count: number | undefined])[]): Counts {
  const sums: Counts = {};
  for (const [id, count = 0] of entries) if (count > 0) sums[id] = (sums[id] ?? 0) + count;
  return sums;
}

const listCounts = ({ documents }: { documents: Document[] }) =>
  sumsOf(documents.map(({ id, results }) => [id, results?.to_check]));

function queueCounts(queue: ReviewQueue): Counts {
  const counts = sumsOf(queue.items.map(({ document_id }) => [document_id, 1]));
  expect(queue.values).toBe(queue.items.length);
  expect(queue.documents).toBe(Object.keys(counts).length);
  return counts;
}

/** The paths to check of the newest result of each prompt, by document, as `read` returns them. */
async function newestResults(
  documents: readonly Document[],
  read: (id: string, revid: string) => Promise<readonly string[]>,
): Promise<Counts> {
  const entries: [string, number][] = [];
  for (const { id } of documents) {
    const { extractions } = (await client.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`)).body;
    const newest = new Map(extractions.toReversed().map((each) => [each.prompt_id, each.prompt_revid]));
    for (const revid of newest.values()) entries.push([id, (await read(id, revid)).length]);
  }
  return sumsOf(entries);
}

const pathsOf = ({ review = {} }: Extraction) => Object.keys(review).filter((path) => review[path]!.to_check);

/** The numbers of values to check that each place shows, by document id; documents without one are left out. */
async function counts(): Promise<Record<string, Counts>> {
  await bench.services.queueUpdater.work(new AbortController().signal);
  const listed = (await client.get<{ documents: Document[] }>('./documents?limit=100')).body;
  const { documents } = listed;
  const { prompts } = (await client.get<{ prompts: Prompt[] }>('./prompts?limit=100')).body;
  const results: ResultPage[] = [];
  const printed: ResultPage[] = [];
  for (const { prompt_id } of prompts) {
    results.push((await client.get<ResultPage>(`./prompts/${prompt_id}/results`)).body);
    printed.push((await command('results', prompt_id)) as ResultPage);
  }
  const rowCounts = (pages: ResultPage[]) =>
    sumsOf(pages.flatMap(({ rows }) => rows.map(({ document_id, to_check }) => [document_id, to_check])));
  const told = (await mcp.call('list_documents', { limit: 50 })).value as {
    documents: { id: string; to_check?: number }[];
  };
  const records = await documentModel(bench.connection)
    .find({ _id: { $in: documents.map(({ id }) => new mongoose.Types.ObjectId(id)) } })
    .lean();
  return {
    list: listCounts(listed),
    stored: sumsOf(records.map(({ _id, review }) => [_id.toHexString(), review?.to_check])),
    page: await newestResults(documents, async (id, revid) =>
      pathsOf((await client.get<Extraction>(`./documents/${id}/extractions/${revid}`)).body),
    ),
    review: queueCounts((await client.get<ReviewQueue>('./review?limit=100&lease=false')).body),
    results: rowCounts(results),
    'MCP: documents': sumsOf(told.documents.map(({ id, to_check }) => [id, to_check])),
    'MCP: results': await newestResults(documents, async (document_id, prompt_revid) => {
      const { value } = await mcp.call('get_extraction_result', { document_id, prompt_revid });
      return (value['to_check'] ?? []) as string[];
    }),
    'command: documents': listCounts((await command('documents')) as { documents: Document[] }),
    'command: extraction': await newestResults(documents, async (id, revid) =>
      pathsOf((await command('extraction', id, '--prompt', revid)) as Extraction),
    ),
    'command: results': rowCounts(printed),
    'command: review': queueCounts((await command('review', '--limit', '100')) as ReviewQueue),
  };
}

/** The counts of the list, after a look that all places have the same ones. */
async function expectOneCount(): Promise<Counts> {
  const { list, ...others } = await counts();
  for (const [place, found] of Object.entries(others)) expect(found, place).toEqual(list);
  return list!;
}

it('of values to check is the same in the list, on the page, in Review, Results, filters and proposals, over MCP and in the command', async () => {
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
