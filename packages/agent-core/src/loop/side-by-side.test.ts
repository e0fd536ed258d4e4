import { expect, it } from 'vitest';
import { z } from 'zod';
import { drain, practiceInput } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import type { RunTurnInput } from './run-turn.ts';

interface Meeting {
  began: string[];
  /** Those who wait for each other. */
  meets: PromiseWithResolvers<void>[];
}

/** Each waits until both have begun, and the second ends first. */
const tools = createToolset<Meeting>([
  defineTool({
    name: 'meet',
    description: 'Waits for the other one.',
    effect: 'read_only',
    runsSideBySide: true,
    parameters: z.object({ at: z.number().int() }),
    execute: async ({ services: { began, meets } }: ToolContext<Meeting>, { at }) => {
      began.push(`meet ${at}`);
      meets[at]?.resolve();
      await meets[1 - at]?.promise;
      return { at };
    },
  }),
  defineTool({
    name: 'alone',
    description: 'Begins when those before it have ended.',
    effect: 'read_only',
    parameters: z.object({}),
    execute: async ({ services: { began } }: ToolContext<Meeting>) => {
      began.push('alone');
      return {};
    },
  }),
]);

it('calls that may run side by side are begun together and told in their order; others wait', async () => {
  const services: Meeting = { began: [], meets: [Promise.withResolvers<void>(), Promise.withResolvers<void>()] };
  const meet = (at: number) => ({ name: 'meet', args: { at } });
  const llm = scriptedLlm([{ calls: [meet(0), meet(1), { name: 'alone' }] }, { text: 'Met.' }]);
  const plain = practiceInput(llm, { ran: [] });
  const limits = { maxRounds: 3, timeoutMs: 2_000 };
  const input: RunTurnInput<Meeting> = {
    ...plain,
    services,
    profile: { name: 'meeting', tools, limits, buildSystemPrompt: async () => 'Meet.' },
  };
  const { events, result } = await drain(input);
  // One after the other, the first would wait for ever.
  expect(result).toMatchObject({ status: 'completed', text: 'Met.' });
  expect(services.began).toEqual(['meet 0', 'meet 1', 'alone']);
  const told = events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));
  expect(told).toEqual([{ at: 0 }, { at: 1 }, {}]);
});
