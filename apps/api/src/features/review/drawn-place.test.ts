import type { Extraction, ReviewDecision, ReviewQueue } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEvaluationTestBench, trueResult, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { decide, queueOf, startReviewScene } from '../../testing/review-test-bench.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());

it('grounds a value in the box that a user draws, if its words contain the value, and preserves it in later edits', async () => {
  const { client, read, prompt } = await startReviewScene(bench);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const { id, url } = await read('53');
  const { body: words } = await client.get<{
    page: { width: number; height: number };
    words: { text: string; x0: number; y0: number; x1: number; y1: number }[];
  }>(`./documents/${id}/words?page_num=1`);
  const word = words.words.find(({ text }) => text === '53')!;
  const { width, height } = words.page;
  const box = { page_num: 1, x0: word.x0 / width, y0: word.y0 / height, x1: word.x1 / width, y1: word.y1 / height };
  const about = (path: string, rest: object) =>
    ({ document_id: id, prompt_revid: prompt.prompt_revid, path, version: 1, ...rest }) as ReviewDecision;
  const outcomes = await decide(
    client,
    about('total', { action: 'correct', value: 53, box }),
    // The words in the box have another value: all pages are searched.
    about('lines.0.amount', { action: 'correct', value: 48, box }),
    // The present value is no correction.
    about('number', { action: 'correct', value: '53', box }),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['decided', 'decided', 'decided']);
  const first = (await client.get<Extraction>(url)).body;
  expect(first.grounding['total']).toMatchObject({ match: 'exact', quote: '53', drawn: true });
  expect(first.grounding['total']!.boxes).toHaveLength(1);
  expect(first.grounding['lines.0.amount']).toMatchObject({ quote: '48' });
  expect(first.grounding['lines.0.amount']!.drawn).toBeUndefined();
  expect([first.review!['total']!.state, first.review!['number']!.state]).toEqual(['corrected', 'confirmed']);

  await decide(client, about('lines.1.text', { action: 'correct', value: 'Bell', version: first.version }));
  const second = (await client.get<Extraction>(url)).body;
  expect(second.grounding['total']).toEqual(first.grounding['total']);
  // The box does not apply to another value.
  await decide(client, about('total', { action: 'correct', value: 5, version: second.version }));
  expect((await client.get<Extraction>(url)).body.grounding['total']!.drawn).toBeUndefined();

  const bad = [
    { ...box, x0: 2 },
    { ...box, x1: box.x0 },
    { ...box, page_num: 0 },
  ];
  for (const each of bad) {
    const refused = about('total', { action: 'correct', value: 53, box: each });
    expect((await client.post('./review/decide', { decisions: [refused] })).status).toBe(422);
  }
  const missing = about('total', { action: 'correct', value: 53, version: 4, box: { ...box, page_num: 99 } });
  expect(await decide(client, missing)).toMatchObject([{ status: 'decided' }]);
});

it('lists the document leased to the user first, even if a riskier one arrives', async () => {
  const { client, read } = await startReviewScene(bench);
  bench.answer(({ document }) => trueResult(document));
  const { id } = await read('54');
  expect((await queueOf(client, 'max_documents=1')).items[0]!.document_id).toBe(id);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const riskier = await read('55');
  expect((await queueOf(client, 'lease=false')).items[0]!.document_id).toBe(riskier.id);
  const { items } = await queueOf(client, 'max_documents=2');
  expect([...new Set(items.map(({ document_id }) => document_id))]).toEqual([id, riskier.id]);
});

it('leases nothing to a token that may only read', async () => {
  const { client, read } = await startReviewScene(bench);
  bench.answer(({ document }) => ({ ...trueResult(document), total: 999 }));
  const { id } = await read('56');
  const colleague = await bench.addUser('member', client.organizationId);
  const listedBy = async (scopes: string[]) => {
    const { body } = await colleague.post<{ token: string }>('./access_tokens', {
      name: 'n',
      lifetime_days: 1,
      scopes,
    });
    const headers = { authorization: `Bearer ${body.token}` };
    const { body: queue } = await colleague.request<ReviewQueue>('GET', './review?all=true', { headers });
    return queue.items.map(({ document_id }) => document_id);
  };
  const listed = async () => (await queueOf(client, 'max_documents=5')).items.map(({ document_id }) => document_id);
  expect(await listedBy(['read'])).toContain(id);
  expect(await listed()).toContain(id);
  // The same list by a token that decides takes a document, which shows that the test can fail.
  const other = await read('57');
  expect(await listedBy(['read', 'decide'])).toContain(other.id);
  expect(await listed()).not.toContain(other.id);
});
