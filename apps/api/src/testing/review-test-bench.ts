import type {
  Document,
  Extraction,
  Prompt,
  ReviewDecision,
  ReviewOutcome,
  ReviewQueue,
  Schema,
} from '@docwright/contract';
import { formatOf, invoiceFields, type EvaluationTestBench } from './evaluation-test-bench.ts';
import type { TestClient } from './test-client.ts';

export const sumCheck = {
  id: 'rows',
  expression: 'abs(sum(lines.map(l, l.amount)) - total) <= 0.01',
  message: 'The rows do not add up',
  severity: 'error',
};

/** Creates an organization with one prompt; `read` uploads a document with the given text and extracts it. */
export async function startReviewScene(bench: EvaluationTestBench, more: object = {}, checks: object[] = [sumCheck]) {
  const client = await bench.addOrganization();
  const response_format = formatOf(invoiceFields);
  const schema = await client.post<Schema>('./schemas', { name: 'Invoice', response_format, checks });
  const { schema_id } = schema.body;
  const prompt = (await client.post<Prompt>('./prompts', { name: 'Invoice', content: 'Read.', schema_id, ...more }))
    .body;
  return { client, schema: schema.body, prompt, read: (text: string) => readDocument(bench, client, prompt, text) };
}

async function readDocument(bench: EvaluationTestBench, client: TestClient, prompt: Prompt, text: string) {
  const content = Buffer.from(`value ${text} Chain 5 Oil ${Number(text) - 5}`).toString('base64');
  const uploaded = await client.post<{ documents: [Document] }>('./documents', {
    documents: [{ name: `${text}.txt`, content }],
  });
  const [{ id }] = uploaded.body.documents;
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const { body } = await client.post<Extraction>(`./documents/${id}/extractions`, {
    prompt_revid: prompt.prompt_revid,
  });
  return { id, url: `./documents/${id}/extractions/${prompt.prompt_revid}`, extraction: body };
}

export const queueOf = async (client: TestClient, query = '') =>
  (await client.get<ReviewQueue>(`./review?${query}`)).body;
export const decide = async (client: TestClient, ...decisions: ReviewDecision[]) =>
  (await client.post<{ outcomes: ReviewOutcome[] }>('./review/decide', { decisions })).body.outcomes;
const signal = () => new AbortController().signal;
export const settle = async (bench: EvaluationTestBench) => {
  await bench.services.queueUpdater.work(signal());
  await bench.services.calibration.work(signal());
  await bench.services.queueUpdater.work(signal());
};
