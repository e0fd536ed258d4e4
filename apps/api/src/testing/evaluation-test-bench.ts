import type { LlmClient, LlmRequest, ModelAnswer } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, Evaluation, Extraction, Prompt, Schema } from '@docwright/contract';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestClient } from './test-client.ts';

export interface EvaluationTestBench extends TestApp {
  /** Sets the function that answers extraction requests, and clears `requests`. */
  answer(respond: Respond): void;
  /** Sets the model's next steps in conversations. */
  scriptChat(...steps: ScriptedStep[]): void;
  /** The extraction requests since `answer`: prompt and document text of each. */
  requests: ExtractionRequest[];
  /** Uploads a document with this text, extracts it with the prompt, corrects the result to `truth` and verifies it. */
  addVerifiedDocument(client: TestClient, prompt: Prompt, text: string, truth: unknown): Promise<string>;
  work(): Promise<void>;
  /** Works on the evaluation in this process, and returns it when it has ended. */
  waitForEnd(client: TestClient, id: string): Promise<Evaluation>;
}

interface ExtractionRequest {
  prompt: string;
  document: string;
  request: LlmRequest;
}
type Respond = (request: ExtractionRequest) => unknown;

/** A text that ends with `?` has a probability of 0.2; others have none. */
function tokensIn(content: string): Pick<ModelAnswer, 'tokens'> {
  const at = content.indexOf('?"');
  if (at < 0) return {};
  return {
    tokens: [
      { length: at, probability: undefined },
      { length: 1, probability: 0.2 },
      { length: content.length - at - 1, probability: 1 },
    ],
  };
}

/** The application with a model that answers by function, and without background jobs. */
export async function startEvaluationTestBench(
  overrides: Parameters<typeof startTestApp>[0] = {},
): Promise<EvaluationTestBench> {
  let respond: Respond = () => ({});
  const requests: ExtractionRequest[] = [];
  let chat: LlmClient = scriptedLlm([]);
  const llm: LlmClient = {
    async *stream(request) {
      if (request.tools) {
        yield* chat.stream(request);
        return;
      }
      const text = request.messages.find(({ role }) => role === 'user')?.content ?? '';
      const ownText = text.slice(Math.max(0, text.lastIndexOf('<document ')));
      const call = { prompt: text.split('\n\n')[0]!, document: /value (\S+)/.exec(ownText)?.[1] ?? '', request };
      requests.push(call);
      const content = JSON.stringify(await respond(call));
      yield [
        {
          type: 'finish' as const,
          answer: { content, toolCalls: [], reasoning: [], ...tokensIn(content) },
          usage: { prompt_tokens: 100, completion_tokens: 10, estimated: false },
          finishReason: 'stop',
        },
      ];
    },
  };
  const app = await startTestApp({ llm, ...overrides });
  const work = () => app.services.evaluationWorker.work(new AbortController().signal);

  return {
    ...app,
    requests,
    scriptChat(...steps) {
      chat = scriptedLlm(steps);
    },
    answer(next) {
      respond = next;
      requests.length = 0;
    },
    work,
    async addVerifiedDocument(client, prompt, text, truth) {
      const content = Buffer.from(`value ${text}`).toString('base64');
      const uploaded = await client.post<{ documents: [Document] }>('./documents', {
        documents: [{ name: `${text}.txt`, content }],
      });
      const [{ id }] = uploaded.body.documents;
      await app.services.documents.textReading.readAll(new AbortController().signal);
      const run = await client.post<Extraction>(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
      if (run.status !== 201) throw new Error(`The extraction failed: ${run.text}`);
      const url = `./documents/${id}/extractions/${prompt.prompt_revid}`;
      let { version } = run.body;
      for (const [path, value] of Object.entries(truth as Record<string, unknown>)) {
        const before = (run.body.result as Record<string, unknown>)[path];
        if (JSON.stringify(before) === JSON.stringify(value)) continue;
        const patched = await client.patch<Extraction>(url, { path, value, base_version: version });
        if (patched.status !== 200) throw new Error(`The correction failed: ${patched.text}`);
        version = patched.body.version;
      }
      await client.put(`${url}/verification`, { is_verified: true, seen: true });
      return id;
    },
    async waitForEnd(client, id) {
      await work();
      const { body } = await client.get<Evaluation>(`./evaluations/${id}`);
      if (body.ended_at === null) throw new Error(`The evaluation is ${body.state}.`);
      return body;
    },
  };
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const closed = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const formatOf = (properties: Record<string, unknown>) => ({
  type: 'json_schema',
  json_schema: { name: 'invoice', strict: true, schema: closed(properties) },
});
export const invoiceFields = {
  number: nullable('string'),
  total: nullable('number'),
  lines: { type: 'array', items: closed({ text: nullable('string'), amount: nullable('number') }) },
};

/** Creates a prompt "Read." with an invoice schema. */
export async function createInvoicePrompt(client: TestClient, more: object = {}): Promise<Prompt> {
  const schema = await client.post<Schema>('./schemas', { name: 'Invoice', response_format: formatOf(invoiceFields) });
  const { schema_id } = schema.body;
  return (await client.post<Prompt>('./prompts', { name: 'Invoice', content: 'Read.', schema_id, ...more })).body;
}

/** The correct result of a document whose text is a number. */
export const trueResult = (number: string) => ({
  number,
  total: Number(number),
  lines: [
    { text: 'Chain', amount: 5 },
    { text: 'Oil', amount: Number(number) - 5 },
  ],
});

export const right: Respond = ({ document }) => trueResult(document);

/** Creates an organization with verified documents; the first one was extracted wrongly and corrected. */
export async function createVerifiedDocuments(
  bench: EvaluationTestBench,
  count: number,
): Promise<{ client: TestClient; prompt: Prompt; documents: string[] }> {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client);
  bench.answer(({ document }) => ({ ...trueResult(document), ...(document === '100' && { total: 1 }) }));
  const documents: string[] = [];
  for (let at = 0; at < count; at++) {
    const number = String(100 + at);
    documents.push(await bench.addVerifiedDocument(client, prompt, number, trueResult(number)));
  }
  return { client, prompt, documents };
}

export async function runEvaluation(bench: EvaluationTestBench, client: TestClient, body: object): Promise<Evaluation> {
  const created = await client.post<Evaluation>('./evaluations', body);
  if (created.status !== 201) throw new Error(`Creating the evaluation failed: ${created.text}`);
  return await bench.waitForEnd(client, created.body.id);
}
