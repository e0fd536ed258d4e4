import type { CallEvaluationStarted, Evaluation, Prompt, TurnAnswer } from '@docwright/contract';
import { expect } from 'vitest';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import type { TestClient } from './test-client.ts';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  trueResult,
  type EvaluationTestBench,
} from './evaluation-test-bench.ts';

let bench: EvaluationTestBench;

/** The application with a running evaluation job, for rules that require a measurement. */
export async function startEvidenceTestBench(): Promise<EvaluationTestBench> {
  const started = await startEvaluationTestBench();
  bench = started;
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const { evaluationWorker } = started.services;
  const job = {
    name: 'evaluate',
    everyMs: 3_000,
    concurrency: 4,
    run: (signal: AbortSignal) => evaluationWorker.work(signal),
  };
  const log = { error: ({ err }: { err?: unknown }) => failures.push(err) };
  const jobs = createJobRunner(job, stopping.signal, { log });
  const polling = setInterval(() => jobs.poll(), 100);
  return {
    ...started,
    async stop() {
      clearInterval(polling);
      stopping.abort();
      // Running evaluations need the database.
      await jobs.settled();
      await started.stop();
      if (failures.length > 0) throw new AggregateError(failures, 'The evaluation job failed.');
    },
  };
}

export interface Scene {
  client: TestClient;
  prompt: Prompt;
  documents: string[];
  chat: string;
}

/** Creates three verified documents, and a model that answers wrongly if the prompt says "badly". */
export async function createScene(): Promise<Scene> {
  const client = await bench.addOrganization();
  const prompt = await createInvoicePrompt(client);
  bench.answer(({ document, prompt: text }) => ({
    ...trueResult(document),
    ...(text.includes('badly') && { total: 0 }),
  }));
  const documents = [];
  for (const number of ['100', '101', '102']) {
    documents.push(await bench.addVerifiedDocument(client, prompt, number, trueResult(number)));
  }
  return { client, prompt, documents, chat: `./documents/${documents[0]}/chat` };
}

export const improvementRequest = { messages: [{ role: 'user', content: 'Better, please.' }] };
export const proposal = (tool: string, args: object) => [
  { calls: [{ name: tool, args: { ...args } }] },
  { text: 'Done.' },
];

export async function propose({ client, chat }: Scene, tool: string, args: object): Promise<TurnAnswer> {
  bench.scriptChat(...proposal(tool, args));
  return (await client.post<TurnAnswer>(chat, improvementRequest)).body;
}
export const evaluationOn = ({ tool_calls: [call] }: TurnAnswer) =>
  call?.preview?.kind === 'difference' ? call.preview.evaluation : undefined;
export const turnPath = ({ chat }: Scene, { turn_id }: TurnAnswer) => `${chat}/turns/${turn_id}`;
export const contentOf = async ({ client, prompt }: Scene) =>
  (await client.get<{ prompts: Prompt[] }>(`./prompts/${prompt.prompt_id}/versions?limit=1`)).body.prompts[0]!.content;

export async function measure(scene: Scene, turn: TurnAnswer, body?: object): Promise<Evaluation> {
  const path = `${turnPath(scene, turn)}/calls/${turn.tool_calls[0]!.id}/evaluate`;
  const started = await scene.client.post<CallEvaluationStarted>(path, body);
  expect(started.status, started.text).toBe(202);
  await waitForEvaluation(scene.client, started.body.id);
  return (await scene.client.get<Evaluation>(`./evaluations/${started.body.id}`)).body;
}

export const waitForEvaluation = async (client: TestClient, id: string) =>
  expect
    .poll(async () => (await client.get<Evaluation>(`./evaluations/${id}`)).body.ended_at, { timeout: 20_000 })
    .not.toBeNull();

export const approve = ({ client, chat }: Scene, turn: TurnAnswer, more: object = {}) =>
  client.post<TurnAnswer>(`${chat}/approve`, {
    turn_id: turn.turn_id,
    approvals: [{ call_id: turn.tool_calls[0]!.id, approved: true, ...more }],
  });
