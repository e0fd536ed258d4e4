import { expect, describe, it } from 'vitest';
import { z } from 'zod';
import type { Decide } from '../permissions/permission.ts';
import { drain, pendingOf, practiceInput, practiceTools, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { checkDecisions } from './approval.ts';
import type { CallRecord } from './call-record.ts';
import { nearestName, prepareCall } from './prepare-call.ts';
import type { RunTurnInput } from './run-turn.ts';

it('takes fifty calls of an answer, tells the model of the rest, and lets all that wait be decided', async () => {
  const notes: Notebook = { ran: [] };
  const calls = Array.from({ length: 73 }, (_, at) => ({ name: 'write_note', args: { text: `${at}` } }));
  const llm = scriptedLlm([{ calls }, { text: 'Done.' }]);
  const input = practiceInput(llm, notes);
  const first = await drain(input);
  const pending = pendingOf(first.result);
  const approvals = pending.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
  const decisions = { approvals: approvals.slice(0, 50), answers: [] };
  checkDecisions(practiceTools, pending, decisions);
  const { result } = await drain({ ...input, turn: { pending, ...decisions } });
  expect(notes.ran).toHaveLength(50);
  expect(result.executedRounds[0]?.tool_calls).toHaveLength(51);
  expect(result.executedRounds[0]?.tool_calls.at(-1)).toMatchObject({
    success: false,
    arguments: '{}',
    error: expect.stringMatching(/had 73 calls, and at most 50 are taken.*\(23\) were not run/),
  });
});

it('refuses an argument that a tool does not have, and names the one that was meant', async () => {
  const notes: Notebook = { ran: [] };
  const llm = scriptedLlm([{ calls: [{ name: 'read_note', args: { page_number: 3 } }] }, { text: 'I see.' }]);
  const { result } = await drain(practiceInput(llm, notes));
  expect(notes.ran).toEqual([]);
  expect(result.executedRounds[0]?.tool_calls[0]).toMatchObject({
    success: false,
    error:
      'The arguments do not fit read_note: it has no argument "page_number" (use page); read_note takes page. Nothing was done.',
  });
});

describe('a call of an answer', () => {
  const proposing = async (name: string, args: object, decide: Decide = () => ({ effect: 'ask' })) => {
    const records: CallRecord[] = [];
    const questions: Parameters<Decide>[0][] = [];
    const llm = scriptedLlm([{ calls: [{ name, arguments: JSON.stringify(args) }] }, { text: 'I see.' }]);
    const { events, result } = await drain(
      practiceInput(
        llm,
        { ran: [] },
        {
          decide: (question) => {
            questions.push(question);
            return decide(question);
          },
          recordCalls: async (added) => void records.push(...added),
        },
      ),
    );
    const call = events.flatMap((event) => (event.type === 'tool_calls' ? event.tool_calls : []))[0];
    return { call, result, records, questions };
  };

  it('that breaks a rule of its tool is refused, recorded and asks nobody', async () => {
    const { call, result, records } = await proposing('write_note', { text: 'taboo' });
    expect(result).toMatchObject({
      status: 'completed',
      executedRounds: [{ tool_calls: [{ error: 'Not this word.' }] }],
    });
    expect(call).toMatchObject({ needs_approval: false });
    expect(records).toMatchObject([{ kind: 'proposed', arguments: '{"text":"taboo"}', error: 'Not this word.' }]);
    expect(records).toHaveLength(1);
  });

  it('has no preview where none can be made, and waits all the same', async () => {
    const { call, result } = await proposing('write_note', { text: 'unseen' });
    expect(result.status).toBe('awaiting_approval');
    expect(call).toMatchObject({ needs_approval: true });
    expect(call).not.toHaveProperty('preview');
  });

  it.each(['unchecked', 'unseeable'])('that breaks its tool ends the turn: %s', async (text) => {
    expect((await proposing('write_note', { text })).result).toMatchObject({ error: { code: 'internal_error' } });
  });

  it('that asks the user waits for answers alone, whatever the rules ask', async () => {
    const { call, result } = await proposing('ask_person', { question: 'Which?' });
    expect(result.status).toBe('awaiting_answers');
    expect(call).toMatchObject({ needs_approval: false });
  });

  it('is plain where its tool does not exist', async () => {
    const { call } = await proposing('fly', {});
    expect(call).toStrictEqual({
      id: expect.any(String),
      name: 'fly',
      arguments: '{}',
      effect: 'read_only',
      summary: 'fly',
      needs_approval: false,
    });
  });

  it('is decided on when it is proposed, and again when it runs', async () => {
    const { questions } = await proposing('write_note', { text: 'x' }, () => ({ effect: 'allow' }));
    expect(questions.map(({ isProposal }) => isProposal)).toEqual([true, undefined]);
  });

  it('that names no further tool is told what to name', async () => {
    const { call, result } = await proposing('use_tool', { name: 5 });
    expect(call?.arguments).toBe('{}');
    expect(result.executedRounds[0]?.tool_calls[0]).toMatchObject({
      arguments: '{}',
      error: 'use_tool takes the name of a tool that it lists, and its arguments.',
    });
  });
});

describe('arguments that do not fit', () => {
  const tools = createToolset([
    defineTool({
      name: 'note',
      description: 'Notes.',
      effect: 'read_only',
      parameters: z.strictObject({
        page_num: z.number().optional(),
        parts: z
          .array(z.strictObject({ text: z.string(), from: z.strictObject({ x: z.number() }).optional() }))
          .optional(),
        nothing: z.strictObject({}).optional(),
      }),
      execute: async () => null,
    }),
    defineTool({
      name: 'other',
      description: 'Other.',
      effect: 'read_only',
      parameters: z.object({}),
      execute: async () => null,
    }),
  ]);
  const refusalOf = (text: string, name = 'note') => prepareCall(tools, name, text).refusal;
  const unfit = 'The arguments do not fit note: ';
  it.each([
    [
      '{"page":1,"zzz":2}',
      `${unfit}it has no argument "page" (use page_num), "zzz"; note takes page_num, parts, nothing. Nothing was done.`,
    ],
    [
      '{"parts":[{"text":"a","txet":1}]}',
      `${unfit}parts.0 has no argument "txet"; parts.0 takes text, from. Nothing was done.`,
    ],
    [
      '{"parts":[{"text":"a","from":{"x":1,"y":2}}]}',
      `${unfit}parts.0.from has no argument "y"; parts.0.from takes x. Nothing was done.`,
    ],
    ['{"nothing":{"a":1}}', `${unfit}nothing has no argument "a"; nothing takes none. Nothing was done.`],
    ['null', 'The arguments are not one complete JSON object: null'],
    ['5', 'The arguments are not one complete JSON object: 5'],
    ['[]', 'The arguments are not one complete JSON object: []'],
    [`"${'x'.repeat(198)}"`, `The arguments are not one complete JSON object: "${'x'.repeat(198)}"`],
    [`"${'x'.repeat(199)}"`, `The arguments are not one complete JSON object: "${'x'.repeat(199)}…`],
  ])('%s', (text, refusal) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it('keep their text where it can be shown, and are an empty object otherwise', () => {
    const argumentsOf = (name: string, text: string) => prepareCall(tools, name, text).arguments;
    expect(['{"a":1}', '{"a":', '[]'].map((text) => argumentsOf('gone', text))).toEqual(['{"a":1}', '{}', '{}']);
    expect(refusalOf('{}', 'gone')).toBe('There is no tool called gone. There are: note, other.');
    expect(prepareCall(tools, 'note', '{"_bsontype":1}')).toMatchObject({
      arguments: '{}',
      refusal: expect.stringMatching(/^The arguments do not fit note: ./u),
    });
  });

  it.each([
    ['PAGE_NUMBER', ['title', 'page_num'], 'page_num'],
    ['number_page', ['page', 'page_number', 'title'], 'page_number'],
    ['abcd', ['abxy', 'zzcd'], undefined],
    ['night', ['nacht', 'nigth'], 'nigth'],
    ['a', ['b'], undefined],
    ['text', [], undefined],
    ['note', ['a_very_long_name_of_a_note'], undefined],
  ])('%s is probably meant as one of %j', (wanted, names, meant) => {
    expect(nearestName(wanted, names)).toBe(meant);
  });
});

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
