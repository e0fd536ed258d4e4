import type { Document, Extraction, Prompt } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  formatOf,
  invoiceFields,
  runEvaluation,
  right,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(() => bench.stop());

const trades = [
  'bicycle shop chains pedals',
  'bakery bread flour',
  'bicycle shop tubes pedals',
  'lawyer contract court',
];

/** Four verified documents, two of them of the same trade. */
async function createVerifiedDocuments(
  count: number,
): Promise<{ client: TestClient; prompt: Prompt; documents: string[] }> {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client, { examples: { count } });
  bench.answer(right);
  const documents = [];
  for (const [at, trade] of trades.entries()) {
    documents.push(
      await bench.addVerifiedDocument(client, prompt, `${100 + at} ${trade}`, trueResult(String(100 + at))),
    );
  }
  return { client, prompt, documents };
}

/** The examples in each request, with the document of the request. */
const shownExamples = () =>
  bench.requests.map(({ document, request }) => {
    const text = request.messages.find(({ role }) => role === 'user')?.content ?? '';
    const examples = [...text.matchAll(/<example number="\d">\n(.*)\n<\/example>/g)].map(([, json]) =>
      JSON.parse(json!),
    );
    return { document, examples, numbers: examples.map(({ result }) => result.number as string) };
  });

async function extract(client: TestClient, prompt: Prompt, text: string): Promise<void> {
  const content = Buffer.from(`value ${text}`).toString('base64');
  const documents = [{ name: `${text}.txt`, content }];
  const [document] = (await client.post<{ documents: Document[] }>('./documents', { documents })).body.documents;
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  bench.answer(right);
  const { prompt_revid } = prompt;
  const run = await client.post<Extraction>(`./documents/${document!.id}/extractions`, { prompt_revid });
  expect(run.status, run.text).toBe(201);
}

it('shows the verified results of the most similar documents with passages of their values, as data', async () => {
  const { client, prompt } = await createVerifiedDocuments(2);
  await extract(client, prompt, '777 bicycle shop pedals bells');
  const [{ numbers, examples } = { numbers: [] as string[], examples: [] }] = shownExamples();
  expect(numbers.toSorted()).toEqual(['100', '102']);
  expect(examples[0]).toEqual({
    passages: [{ page: 1, text: expect.stringMatching(/^value 10[02] bicycle shop/) }],
    result: trueResult(numbers[0]!),
  });
  const [system, user] = bench.requests[0]!.request.messages;
  expect(system?.content).toContain('Between <examples> and </examples>');
  expect(user?.content.indexOf('</examples>')).toBeLessThan(user!.content.indexOf('<document '));
});

it('shows no examples if the prompt wants none, and never more than exist', async () => {
  const none = await createVerifiedDocuments(0);
  await extract(none.client, none.prompt, '777 bicycle');
  expect(shownExamples()[0]?.examples).toEqual([]);
  expect(bench.requests[0]!.request.messages[0]!.content).not.toContain('<examples>');
  const many = await createVerifiedDocuments(5);
  await extract(many.client, many.prompt, '777 bicycle');
  expect(shownExamples()[0]?.numbers.toSorted()).toEqual(['100', '101', '102', '103']);
});

it('never shows the document itself, a copy of it, an unverified result, or one of another organization', async () => {
  const { client, prompt, documents } = await createVerifiedDocuments(5);
  await createVerifiedDocuments(5);
  bench.answer(right);
  const { prompt_revid } = prompt;
  const body = { prompt_revid, replace: 'verified' };
  expect((await client.post(`./documents/${documents[0]}/extractions`, body)).status).toBe(201);
  expect(shownExamples()[0]?.numbers.toSorted()).toEqual(['101', '102', '103']);
  // The first document is no longer verified.
  await extract(client, prompt, `101 ${trades[1]}`);
  expect(shownExamples()[0]?.numbers.toSorted()).toEqual(['102', '103']);
});

it('can be measured like any other change, and no request shows the truth of its own document', async () => {
  const { client, prompt } = await createVerifiedDocuments(0);
  // A model that reads the total correctly only if it sees examples.
  bench.answer(({ document, request }) => ({
    ...trueResult(document),
    ...(!request.messages.some(({ content }) => content.includes('<example number')) && { total: 1 }),
  }));
  const body = { prompt_id: prompt.prompt_id, examples: { count: 3 }, baseline: 'run' };
  const evaluation = await runEvaluation(bench, client, body);
  expect(evaluation).toMatchObject({ state: 'completed', totals: { fixed: 4, broken: 0, accuracy_after: 1 } });
  const withExamples = shownExamples().filter(({ examples }) => examples.length > 0);
  expect(withExamples.map(({ document }) => document).toSorted()).toEqual(['100', '101', '102', '103']);
  for (const { document, numbers } of withExamples) {
    expect(numbers).toHaveLength(3);
    expect(numbers).not.toContain(document);
  }
});

it('shows no fields that the schema no longer has', async () => {
  const { client, prompt } = await createVerifiedDocuments(1);
  const { lines: _lines, ...fields } = invoiceFields;
  bench.answer(({ document }) => ({ number: document, total: Number(document) }));
  const response_format = formatOf(fields);
  expect(await runEvaluation(bench, client, { prompt_id: prompt.prompt_id, response_format })).toMatchObject({
    state: 'completed',
  });
  for (const { examples } of shownExamples()) expect(Object.keys(examples[0].result)).toEqual(['number', 'total']);
});
