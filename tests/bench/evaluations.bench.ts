import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { compareResults } from '../../packages/scorer/src/index.ts';
import type { Evaluation, Prompt, Schema } from '@docwright/contract';
import { defaultEvaluationWorkerLimits } from '../../apps/api/src/features/evaluations/work/evaluation-worker.ts';
import { formatOf, startEvaluationTestBench } from '../../apps/api/src/testing/evaluation-test-bench.ts';
import { setup as startDatabase } from '../../apps/api/src/testing/shared-database.ts';
import { size } from './short/size.ts';

/**
 * The measurement of a change on 200 verified documents of 100 leaves each. Limits: 1 s of CPU for the scores. With a model that
 * answers after 100 ms, the whole evaluation takes at most 1.3 times as long as its calls alone at the limit of concurrent
 * documents, and never blocks the event loop for 50 ms.
 */

const documentCount = size(200, 1);
const modelMs = size(100, 5);

const lines = 14;
const cell = { type: ['number', 'string', 'null'] };
const columns = ['position', 'text', 'unit', 'quantity', 'price', 'amount', 'tax'];
const row = {
  type: 'object',
  properties: Object.fromEntries(columns.map((name) => [name, cell])),
  required: columns,
  additionalProperties: false,
};
const response_format = formatOf({ number: cell, total: cell, lines: { type: 'array', items: row } });

/** 100 leaves; one value in every `wrong` rows is wrong. */
const resultOf = (seed: number, wrong = Infinity) => ({
  number: `R-${seed}`,
  total: seed,
  lines: Array.from({ length: lines }, (_, at) => ({
    position: at,
    text: `Article ${seed} ${at}`,
    unit: 'piece',
    quantity: at % wrong === 1 ? -1 : at,
    price: at * 1.25,
    amount: seed * at,
    tax: 19,
  })),
});

function report(what: string, value: string): void {
  console.log(`${what.padEnd(52)}${value}`);
}

async function score(): Promise<void> {
  const started = process.cpuUsage();
  for (let seed = 0; seed < documentCount; seed++) {
    await compareResults({ truth: resultOf(seed), before: resultOf(seed, 3), after: resultOf(seed, 5) });
  }
  const { user, system } = process.cpuUsage(started);
  report(`scoring ${documentCount} documents of 100 leaves, CPU`, `${((user + system) / 1000).toFixed(0)} ms`);
}

async function evaluate(): Promise<void> {
  const bench = await startEvaluationTestBench();
  try {
    const client = await bench.addOrganization();
    const { schema_id } = (await client.post<Schema>('./schemas', { name: 'Long', response_format })).body;
    const prompt = (await client.post<Prompt>('./prompts', { name: 'Long', content: 'Read.', schema_id })).body;
    bench.answer(({ document }) => resultOf(Number(document)));
    for (let seed = 0; seed < documentCount; seed++) await bench.addVerifiedDocument(client, prompt, String(seed), {});
    let atOnce = 0;
    let most = 0;
    bench.answer(async ({ document }) => {
      most = Math.max(most, ++atOnce);
      await sleep(modelMs);
      atOnce -= 1;
      return resultOf(Number(document), 5);
    });
    const body = { prompt_id: prompt.prompt_id, content: 'Read well.', max_documents: documentCount };
    const { id } = (await client.post<Evaluation>('./evaluations', body)).body;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    await bench.work();
    const took = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpu);
    delay.disable();
    const { state, documents, totals } = (await client.get<Evaluation>(`./evaluations/${id}`)).body;
    if (state !== 'completed' || documents.done !== documentCount) throw new Error(`the evaluation is ${state}`);
    const ideal = Math.ceil(documentCount / defaultEvaluationWorkerLimits.calls) * modelMs;
    report(`measuring ${documentCount} documents, a model of ${modelMs} ms`, `${took.toFixed(0)} ms`);
    report('of the ideal', (took / ideal).toFixed(2));
    report('documents at once', `${most}`);
    report('CPU of the process', `${((user + system) / 1000).toFixed(0)} ms`);
    report('values, broken', `${totals.values}, ${totals.broken}`);
    report(
      'event loop held at most (p99)',
      `${(delay.max / 1e6).toFixed(0)} ms (${(delay.percentile(99) / 1e6).toFixed(0)} ms)`,
    );
  } finally {
    await bench.stop();
  }
}

await score();
const stopDatabase = await startDatabase();
try {
  await evaluate();
} finally {
  await stopDatabase?.();
}
