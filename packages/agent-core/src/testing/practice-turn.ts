import { DomainError, type TurnEvent } from '@docwright/contract';
import { z } from 'zod';
import type { LlmClient } from '../llm/llm-client.ts';
import { runTurn, type RunTurnInput } from '../loop/run-turn.ts';
import type { TurnResult } from '../loop/turn-result.ts';
import { defaultDecide } from '../permissions/default-decide.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';

/** The services of the practice tools. */
export interface Notebook {
  /** The calls that ran, in order. */
  readonly ran: string[];
  /** The text of the note. */
  note?: string;
}

type Context = ToolContext<Notebook>;

const read = defineTool({
  name: 'read_note',
  description: 'Reads a note.',
  effect: 'read',
  parameters: z.object({ page: z.number().int().default(1) }),
  execute: async ({ services }: Context, { page }) => {
    services.ran.push(`read ${page}`);
    return { page, text: 'a note' };
  },
});

const write = defineTool({
  name: 'write_note',
  description: 'Writes a note.',
  effect: 'write',
  target: 'subject',
  argumentRoles: { text: 'content' },
  parameters: z.object({ text: z.string().min(1) }),
  summarize: ({ text }) => `Write "${text}"`,
  baseline: async ({ services }: Context) => [{ thing: 'note', name: 'note', state: { text: services.note ?? '' } }],
  check: async (_: Context, { text }) => {
    if (text === 'taboo') throw new DomainError('invalid', 'taboo', 'Not this word.');
    if (text === 'unchecked') throw new TypeError('secret inside');
  },
  preview: async (_: Context, { text }) => {
    if (text === 'unseen') throw new DomainError('not_found', 'gone', 'The note is not there.');
    if (text === 'unseeable') throw new TypeError('secret inside');
    return { kind: 'difference', title: 'note', before: '', after: text };
  },
  execute: async ({ services, workingState, origin }: Context, { text }) => {
    services.ran.push(`write ${text}`);
    services.note = text;
    workingState.update({ schema_revid: origin.call_id });
    return { written: text };
  },
});

const refuse = defineTool({
  name: 'refuse',
  description: 'Breaks a rule of the domain.',
  effect: 'read',
  parameters: z.object({}),
  execute: async () => {
    throw new DomainError('conflict', 'in_use', 'The note is in use.');
  },
});

const explode = defineTool({
  name: 'explode',
  description: 'Breaks.',
  effect: 'read',
  parameters: z.object({}),
  execute: async () => {
    throw new TypeError('secret inside');
  },
});

const ask = defineTool({
  name: 'ask_person',
  description: 'Asks the person.',
  effect: 'read',
  awaitsAnswers: true,
  parameters: z.object({ question: z.string(), id: z.string().optional() }),
  complete: (args) => ({ id: 'q1', ...args }),
  execute: async ({ answers }: Context) => ({ answers }),
});

export const practiceTools = createToolset<Notebook>([read, write, refuse, explode, ask]);

const owner = { organizationId: 'a'.repeat(24), documentId: 'b'.repeat(24), userId: 'c'.repeat(24) };

/** A complete input with default values; `over` replaces some of them. */
export function practiceInput(
  llm: LlmClient,
  notebook: Notebook,
  over: Partial<RunTurnInput<Notebook>> = {},
): RunTurnInput<Notebook> {
  return {
    profile: {
      name: 'practice',
      tools: practiceTools,
      limits: { maxRounds: 10, timeoutMs: 5000 },
      buildSystemPrompt: async ({ workingState }) => `State: ${JSON.stringify(workingState)}`,
    },
    llm,
    services: notebook,
    decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: 'd'.repeat(24),
      threadId: 'e'.repeat(24),
      owner,
      settings: { model: 'm', mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages: [{ role: 'user', content: 'Go on.' }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
    ...over,
  };
}

/** Runs a turn to its pause or end. */
export async function drain<Services>(
  input: RunTurnInput<Services>,
  onEvent: (event: TurnEvent) => void = () => undefined,
): Promise<{ events: TurnEvent[]; result: TurnResult }> {
  const events: TurnEvent[] = [];
  const run = runTurn(input);
  for (;;) {
    const step = await run.next();
    if (step.done === true) return { events, result: step.value };
    if (step.value.length === 0) throw new Error('The turn yielded an empty list of events.');
    events.push(...step.value);
    step.value.forEach(onEvent);
  }
}

/** The pending turn of a result, after a round trip through JSON as in a store. */
export function pendingOf(result: TurnResult): PendingTurn {
  if (!('pending' in result)) throw new Error(`The turn is not pending, it is ${result.status}.`);
  return JSON.parse(JSON.stringify(result.pending)) as PendingTurn;
}
