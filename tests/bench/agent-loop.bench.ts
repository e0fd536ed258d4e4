import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createOpenAiLlmClient, defaultDecide, runTurn, type LlmMessage } from '@docwright/agent-core';
import { labelArguments, seenContent } from '@docwright/agent-core/testing';
import OpenAI from 'openai';
import { answerOf, benchTools, type BenchArguments } from './agent-loop/bench-tools.ts';
import { isShort, size } from './short/size.ts';

/**
 * The cost of the loop itself: the CPU time of this thread for one turn of ten tool rounds with 28 tools against a model
 * without latency, compared with a bare `while` loop on the openai SDK that does the same work. Both alternate in one run.
 * Then the cost of labelling the arguments of writes, if the last three of the ten rounds write.
 */

const limit = 1.1;
/** Maximum share of a turn's CPU time for labels. */
const labelLimit = 0.05;
const writingRounds = 3;
const turnsPerRun = size(20, 1);
const runs = size(15, 1);
const system = `You are an agent.\n${'A page of text stands here as context. '.repeat(200)}`;
const question = 'What is on the page?';
/** Indexed once for a document, as the agent's profile does it. */
const pages = [{ page_num: 1, text: 'A page of text stands here as context. '.repeat(200) }];

const worker = new Worker(new URL('agent-loop/model-server.ts', import.meta.url));
const [port] = (await once(worker, 'message')) as [number];
const baseURL = `http://127.0.0.1:${port}/v1`;

const llm = createOpenAiLlmClient({ baseUrl: baseURL, apiKey: 'none' });
const profile = {
  name: 'bench',
  tools: benchTools,
  limits: { maxRounds: 20, timeoutMs: 60_000 },
  buildSystemPrompt: async () => system,
};

async function ours(): Promise<number> {
  const run = runTurn({
    profile,
    llm,
    services: null,
    decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: 'a'.repeat(24),
      threadId: 'b'.repeat(24),
      owner: { organizationId: 'c'.repeat(24), documentId: 'd'.repeat(24), userId: 'e'.repeat(24) },
      settings: { model: 'bench', mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages: [{ role: 'user', content: question }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  for (;;) {
    const step = await run.next();
    if (step.done === true) return step.value.executedRounds.length;
  }
}

const openai = new OpenAI({ baseURL, apiKey: 'none' });
const tools = benchTools.definitions as OpenAI.ChatCompletionTool[];

async function bare(): Promise<number> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ];
  for (let rounds = 0; ; rounds++) {
    const stream = await openai.chat.completions.create({
      model: 'bench',
      messages,
      tools,
      stream: true,
      stream_options: { include_usage: true },
    });
    let content = '';
    const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      content += delta?.content ?? '';
      for (const { index, id, function: called } of delta?.tool_calls ?? []) {
        const call = (calls[index] ??= { id: id ?? '', type: 'function', function: { name: '', arguments: '' } });
        call.function.name += called?.name ?? '';
        call.function.arguments += called?.arguments ?? '';
      }
    }
    if (calls.length === 0) return rounds;
    messages.push({ role: 'assistant', content, tool_calls: calls });
    for (const call of calls) {
      const result = answerOf(JSON.parse(call.function.arguments) as BenchArguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) });
    }
  }
}

/** Milliseconds of this thread's CPU for one turn. */
async function cost(turn: () => Promise<number>): Promise<number> {
  globalThis.gc?.();
  const startedAt = process.threadCpuUsage();
  for (let at = 0; at < turnsPerRun; at++) {
    const rounds = await turn();
    if (rounds !== 10) throw new Error(`A turn had ${rounds} rounds instead of ten.`);
  }
  const { user, system } = process.threadCpuUsage(startedAt);
  return (user + system) / 1000 / turnsPerRun;
}

/** The transcript before a round, as the loop has it. */
function transcriptBefore(round: number): LlmMessage[] {
  const rounds = Array.from({ length: round }, (_, at) => {
    const args = { id: 'a'.repeat(24), name: `revision ${at}`, limit: 10 };
    const call = { id: `call_${at}`, name: `tool_${at}`, arguments: JSON.stringify(args) };
    return [
      { role: 'assistant' as const, content: '', toolCalls: [call] },
      { role: 'tool' as const, callId: call.id, content: JSON.stringify(answerOf(args)) },
    ];
  });
  return [{ role: 'user', content: question }, ...rounds.flat()];
}

/** Milliseconds of CPU for the labels of a turn's writes. Each round that writes indexes the content seen so far. */
async function labels(): Promise<number> {
  for (let round = 10 - writingRounds; round < 10; round += 1) {
    const given = { mentioned: [], known: [], workingIds: [], pages, documentTexts: [] };
    const seen = seenContent(transcriptBefore(round), benchTools, given);
    const args = { id: 'a'.repeat(24), name: `revision ${round}`, limit: 10 };
    const argumentRoles = { id: 'target', name: 'content' } as const;
    labelArguments({ name: `tool_${round}`, effect: 'write', argumentRoles }, args, {}, seen);
  }
  return 10;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await cost(ours);
await cost(bare);
await cost(labels);
const pairs: { ours: number; bare: number; labels: number }[] = [];
for (let run = 0; run < runs; run++) {
  const first = run % 2 === 0 ? await cost(ours) : undefined;
  const bareCost = await cost(bare);
  pairs.push({ ours: first ?? (await cost(ours)), bare: bareCost, labels: await cost(labels) });
}
await worker.terminate();

const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
const [low = 0, high = 0] = [Math.min, Math.max].map((pick) => pick(...pairs.map((pair) => pair.ours / pair.bare)));
console.log(
  `one turn of ten tool rounds with 28 tools, CPU of the thread, median of ${runs} runs of ${turnsPerRun} turns`,
);
console.log(`  runTurn with our client      ${median(pairs.map((pair) => pair.ours)).toFixed(2)} ms`);
console.log(`  bare while loop on openai    ${median(pairs.map((pair) => pair.bare)).toFixed(2)} ms`);
console.log(`  ratio ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), at most ${limit}`);
const labelShare = median(pairs.map((pair) => pair.labels / (pair.ours + pair.labels)));
console.log(
  `  labels of ${writingRounds} writes         ${median(pairs.map((pair) => pair.labels)).toFixed(2)} ms, ${(labelShare * 100).toFixed(1)} % of the turn, at most ${labelLimit * 100} %`,
);
if ((ratio > limit || labelShare > labelLimit) && !isShort) process.exitCode = 1;
