import { DomainError } from '@docwright/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { LlmClient } from '../llm/llm-client.ts';
import { scriptedLlm, type ScriptedStep } from '../testing/scripted-llm.ts';
import { practiceTask } from '../testing/sub-agent-task.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { runSubAgent, type SubAgentRun } from './run-sub-agent.ts';

interface Counter {
  count: number;
}

const count = defineTool({
  name: 'count',
  description: 'Counts one more.',
  effect: 'read',
  parameters: z.object({}),
  summarize: () => 'Counts',
  execute: async ({ services }: ToolContext<Counter>) => ({ count: ++services.count }),
});
const write = { ...count, name: 'write', effect: 'write' as const };

function run(
  llm: LlmClient,
  services: Counter,
  limits: { maxRounds: number; timeoutMs: number },
  tools = [count],
  signal?: AbortSignal,
) {
  const steps: string[] = [];
  const task: SubAgentRun<Counter, object> = {
    ...practiceTask(llm, signal && { signal }),
    profile: { name: 'counter', tools: createToolset(tools), limits, buildSystemPrompt: async () => 'Count.' },
    services,
    task: 'Count.',
    data: z.object({}),
    settle: () => ({ data: { counted: services.count }, uncertainties: [] }),
    emitStep: ({ message }) => steps.push(message),
  };
  return { steps, result: runSubAgent(task) };
}

const loops = (): ScriptedStep[] => Array.from({ length: 50 }, () => ({ calls: [{ name: 'count' }] }));

it('sub-agents that run at the same time have separate rounds, time limits and results', async () => {
  const hangs: ScriptedStep[] = [...loops().slice(0, 4), { text: 'Hm', hangs: true }];
  const scripts = [loops(), loops(), hangs].map((steps) => scriptedLlm(steps));
  const limits = [
    { maxRounds: 2, timeoutMs: 60_000 },
    { maxRounds: 7, timeoutMs: 60_000 },
    { maxRounds: 50, timeoutMs: 300 },
  ];
  const runs = scripts.map((llm, at) => run(llm, { count: 0 }, limits[at]!));
  const results = await Promise.all(runs.map(({ result }) => result));
  expect(scripts.map(({ requests }) => requests.length)).toEqual([2, 7, 5]);
  expect(results).toMatchObject([
    { success: false, data: { counted: 2 }, summary: expect.stringContaining('within its rounds') },
    { success: false, data: { counted: 7 }, summary: expect.stringContaining('within its rounds') },
    { success: false, data: { counted: 4 }, summary: expect.stringContaining('time limit') },
  ]);
  expect(runs[1]!.steps).toEqual(Array.from({ length: 7 }, () => 'Counts'));
});

it('does not wait for a tool that ignores the signal, neither at the time limit nor when the caller stops', async () => {
  const stuck = { ...count, execute: () => new Promise<never>(() => undefined) };
  const calls = () => scriptedLlm([{ calls: [{ name: 'count' }] }]);
  const late = run(calls(), { count: 0 }, { maxRounds: 5, timeoutMs: 200 }, [stuck]);
  expect(await late.result).toMatchObject({ success: false, summary: expect.stringContaining('time limit') });
  const caller = new AbortController();
  const stopped = run(calls(), { count: 0 }, { maxRounds: 5, timeoutMs: 60_000 }, [stuck], caller.signal);
  caller.abort(new Error('stopped by the user'));
  await expect(stopped.result).rejects.toThrow('stopped by the user');
});

it('asks once more for a valid answer, within its rounds', async () => {
  const answer = JSON.stringify({ success: true, data: {}, uncertainties: [], summary: 'Counted.' });
  const llm = scriptedLlm([{ calls: [{ name: 'count' }] }, { text: 'I counted one.' }, { text: answer }]);
  expect(await run(llm, { count: 0 }, { maxRounds: 5, timeoutMs: 5_000 }).result).toMatchObject({
    success: true,
    data: { counted: 1 },
    summary: 'Counted.',
  });
  expect(llm.requests[2]?.messages.at(-1)?.content).toContain('There is no JSON object in it.');
});

it('retries a request once, with more time, if the model stops sending, even in the middle of an answer', async () => {
  const silent = () => new DomainError('model_failed', 'model_timeout', 'The model sent nothing.');
  const answer = JSON.stringify({ success: true, data: {}, uncertainties: [], summary: 'Counted.' });
  const llm = scriptedLlm([
    { error: silent() },
    { calls: [{ name: 'count' }] },
    { text: '{"success": tr', error: silent() },
    { text: answer },
  ]);
  expect(await run(llm, { count: 0 }, { maxRounds: 5, timeoutMs: 5_000 }).result).toMatchObject({
    success: true,
    data: { counted: 1 },
  });
  expect(llm.requests.map(({ patience }) => patience)).toEqual([undefined, 2, undefined, 2]);
  const twice = scriptedLlm([{ error: silent() }, { error: silent() }]);
  expect(await run(twice, { count: 0 }, { maxRounds: 5, timeoutMs: 5_000 }).result).toMatchObject({
    success: false,
    summary: expect.stringContaining('sent nothing'),
  });
  expect(twice.requests).toHaveLength(2);
  const refused = scriptedLlm([{ error: new DomainError('model_failed', 'model_refused', 'No.') }]);
  expect(await run(refused, { count: 0 }, { maxRounds: 5, timeoutMs: 5_000 }).result).toMatchObject({ success: false });
});

it('does not start with a tool that writes', async () => {
  const { result } = run(scriptedLlm([]), { count: 0 }, { maxRounds: 5, timeoutMs: 5_000 }, [count, write]);
  await expect(result).rejects.toThrow('has the write tool write');
});
