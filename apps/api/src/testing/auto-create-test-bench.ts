import type { ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, Extraction, OnAsk, Prompt, Schema } from '@docwright/contract';
import { startJobs } from '../process/start-jobs.ts';
import type { WorkerLimits } from '../features/headless/headless-worker.ts';
import { startScriptedTestApp, type ScriptedTestApp } from './test-app.ts';
import type { TestClient } from './test-client.ts';

/** The application with its jobs, and a model that follows a script for each document. */
export interface AutoCreateTestBench extends ScriptedTestApp {
  upload(client: TestClient, options?: { text?: string; autoCreate?: boolean; onAsk?: OnAsk }): Promise<Document>;
  /** Waits for the document's run, or for its text if the upload requested no run. */
  waitForEnd(client: TestClient, id: string): Promise<Document>;
  /** Accepted and pending records. */
  records(client: TestClient): Promise<{ schemas: Schema[]; prompts: Prompt[] }>;
  extractions(client: TestClient, id: string): Promise<Extraction[]>;
}

const waitMs = 20_000;

export async function startAutoCreateTestBench(
  settings: Record<string, string> = {},
  workerLimits?: WorkerLimits,
): Promise<AutoCreateTestBench> {
  /** Documents whose run starts by itself, after their text has been stored. */
  const autoStarted = new Set<string>();
  const app = await startScriptedTestApp({ settings, ...(workerLimits && { workerLimits }) });
  await startJobs(app.services);
  return {
    ...app,
    async upload(client, { text = 'Invoice INV-1042\nTotal: 5', autoCreate, onAsk } = {}) {
      const content = Buffer.from(text).toString('base64');
      const given = {
        name: 'note.txt',
        content,
        ...(autoCreate === undefined ? {} : { auto_create: autoCreate }),
        ...(onAsk === undefined ? {} : { on_ask: onAsk }),
      };
      const { body, status } = await client.post<{ documents: Document[] }>('./documents', { documents: [given] });
      if (status !== 201) throw new Error(`The upload failed: ${JSON.stringify(body)}`);
      const document = body.documents[0]!;
      if (autoCreate === true) autoStarted.add(document.id);
      return document;
    },
    async waitForEnd(client, id) {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const { body } = await client.get<Document>(`./documents/${id}`);
        const isRead = body.state !== 'uploaded' && body.state !== 'ocr_processing';
        const isAwaited = autoStarted.has(id) && body.auto_create === undefined && body.state !== 'ocr_failed';
        if (isRead && !isAwaited && body.auto_create?.status !== 'running') return body;
        if (Date.now() > deadline) throw new Error(`The run has not ended: ${JSON.stringify(body)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async records(client) {
      const lists = ['', '&review=pending'].map(async (review) => {
        const schemas = await client.get<{ schemas: Schema[] }>(`./schemas?limit=100${review}`);
        const prompts = await client.get<{ prompts: Prompt[] }>(`./prompts?limit=100${review}`);
        return { schemas: schemas.body.schemas, prompts: prompts.body.prompts };
      });
      const [inUse, pending] = await Promise.all(lists);
      return {
        schemas: [...inUse!.schemas, ...pending!.schemas],
        prompts: [...inUse!.prompts, ...pending!.prompts],
      };
    },
    async extractions(client, id) {
      const { body } = await client.get<{ extractions: Extraction[] }>(`./documents/${id}/extractions`);
      return body.extractions;
    },
  };
}

export const responseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: {
      type: 'object',
      properties: { total: { type: ['number', 'null'] } },
      required: ['total'],
      additionalProperties: false,
    },
  },
};

/** A call with arguments from the last tool result. */
export function callWith(
  name: string,
  argsOf: (last: Record<string, string>) => Record<string, unknown>,
): ScriptedStep {
  return ({ messages }) => {
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    const last: Record<string, string> = JSON.parse(results.at(-1) ?? '{}');
    return { calls: [{ name, args: argsOf(last) }] };
  };
}

export const createSchema: ScriptedStep = {
  calls: [{ name: 'create_schema', args: { name: 'Invoice', response_format: responseFormat } }],
};
export const createPrompt = callWith('create_prompt', ({ schema_id }) => ({
  name: 'Invoice',
  content: 'Take the total.',
  schema_id,
}));
const runExtraction = callWith('run_extraction', ({ prompt_revid }) => ({ prompt_revid }));
export const extracted: ScriptedStep = { text: '{"total": 5}' };

/** The steps from a document to a proposal. */
export const proposing: ScriptedStep[] = [
  createSchema,
  createPrompt,
  runExtraction,
  extracted,
  { text: 'I made the schema Invoice.' },
];
