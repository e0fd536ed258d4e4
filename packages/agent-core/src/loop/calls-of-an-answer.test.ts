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

it('takes fifty calls of an answer, tells the model the number of omitted ones, and accepts decisions on all', async () => {
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

it('refuses an unknown argument and suggests the most similar one', async () => {
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
    const requests: Parameters<Decide>[0][] = [];
    const llm = scriptedLlm([{ calls: [{ name, arguments: JSON.stringify(args) }] }, { text: 'I see.' }]);
    const { events, result } = await drain(
      practiceInput(
        llm,
        { ran: [] },
        {
          decide: (request) => {
            requests.push(request);
            return decide(request);
          },
          recordCalls: async (added) => void records.push(...added),
        },
      ),
    );
    const call = events.flatMap((event) => (event.type === 'tool_calls' ? event.tool_calls : []))[0];
    return { call, result, records, requests };
  };

  it('is refused and recorded without asking the user if it breaks a rule of its tool', async () => {
    const { call, result, records } = await proposing('write_note', { text: 'taboo' });
    expect(result).toMatchObject({
      status: 'completed',
      executedRounds: [{ tool_calls: [{ error: 'Not this word.' }] }],
    });
    expect(call).toMatchObject({ needs_approval: false });
    expect(records).toMatchObject([{ kind: 'proposed', arguments: '{"text":"taboo"}', error: 'Not this word.' }]);
    expect(records).toHaveLength(1);
  });

  it('is pending without a preview if the preview fails', async () => {
    const { call, result } = await proposing('write_note', { text: 'unseen' });
    expect(result.status).toBe('awaiting_approval');
    expect(call).toMatchObject({ needs_approval: true });
    expect(call).not.toHaveProperty('preview');
  });

  it.each(['unchecked', 'unseeable'])('ends the turn if its tool throws an unexpected error: %s', async (text) => {
    expect((await proposing('write_note', { text })).result).toMatchObject({ error: { code: 'internal_error' } });
  });

  it('needs only answers, not an approval, if its tool asks questions', async () => {
    const { call, result } = await proposing('ask_person', { question: 'Which?' });
    expect(result.status).toBe('awaiting_answers');
    expect(call).toMatchObject({ needs_approval: false });
  });

  it('has no preview and no provenance if its tool does not exist', async () => {
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
    const { requests } = await proposing('write_note', { text: 'x' }, () => ({ effect: 'allow' }));
    expect(requests.map(({ isProposal }) => isProposal)).toEqual([true, undefined]);
  });

  it('of use_tool gets an error that explains its arguments if it names no tool', async () => {
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
      effect: 'read',
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
      effect: 'read',
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
  ])('are refused: %s', (text, refusal) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it.each([
    ['{"page_num":12345678901234567890}', 'page_num is 12345678901234567890, a number that would lose digits'],
    ['{"parts":[{"text":"a","from":{"x":1e400}}]}', 'parts.0.from.x is a number beyond the range of numbers'],
    ["{'page_num':0.1234567890123456789,}", 'page_num is 0.1234567890123456789, a number that would lose digits'],
  ])('are refused where a number would become another one: %s', (text, reason) => {
    const { refusal } = prepareCall(tools, 'note', text);
    expect(refusal).toContain(`${unfit}${reason}`);
    expect(refusal).toMatch(/: give it as a text\.$/u);
  });

  it('may have numbers of any exact form', () => {
    expect(prepareCall(tools, 'note', '{"page_num":9007199254740993.0e0}').refusal).toContain('digits');
    expect(prepareCall(tools, 'note', '{"page_num":120.000000000000000000}').arguments).toBe('{"page_num":120}');
  });

  it('keep their text if it is a JSON object, and become an empty object otherwise', () => {
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
  ])('%s resembles a name of %j', (name, names, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });
});

interface Meeting {
  started: string[];
  /** Resolved when the call of that index has started. */
  meets: PromiseWithResolvers<void>[];
}

/** Each call of `meet` waits until the other one has started. */
const tools = createToolset<Meeting>([
  defineTool({
    name: 'meet',
    description: 'Waits for the other one.',
    effect: 'read',
    runsSideBySide: true,
    parameters: z.object({ at: z.number().int() }),
    execute: async ({ services: { started, meets } }: ToolContext<Meeting>, { at }) => {
      started.push(`meet ${at}`);
      meets[at]?.resolve();
      await meets[1 - at]?.promise;
      return { at };
    },
  }),
  defineTool({
    name: 'alone',
    description: 'Starts when the calls before it have ended.',
    effect: 'read',
    parameters: z.object({}),
    execute: async ({ services: { started } }: ToolContext<Meeting>) => {
      started.push('alone');
      return {};
    },
  }),
]);

it('calls that can run side by side start together and report in their order; others run alone', async () => {
  const services: Meeting = { started: [], meets: [Promise.withResolvers<void>(), Promise.withResolvers<void>()] };
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
  // If they ran one after the other, the first would wait for ever.
  expect(result).toMatchObject({ status: 'completed', text: 'Met.' });
  expect(services.started).toEqual(['meet 0', 'meet 1', 'alone']);
  const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));
  expect(results).toEqual([{ at: 0 }, { at: 1 }, {}]);
});
