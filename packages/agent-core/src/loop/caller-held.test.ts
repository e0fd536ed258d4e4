import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../llm/llm-client.ts';
import { toWireMessages } from '../llm/openai/message-conversion.ts';
import { dialectOf } from '../llm/openai/provider-dialect.ts';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { historyOfCaller, turnHeldByCaller } from './caller-held.ts';
import { callIdFor } from '../tool/call-id.ts';
import { prepareHistory } from '../history/history.ts';

const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
const call = (id: string, name = 'read_note') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: '{}' },
});
const shapeOf = (messages: readonly LlmMessage[]) => messages.map((message) => `${message.role}: ${message.content}`);

describe('the history of a stateless caller', () => {
  it('has each result behind its call, wherever the caller put it, and an error for a missing result', () => {
    const history = historyOfCaller([
      { role: 'user', content: 'Begin.' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('a'), call('b'), call('c')] },
      { role: 'tool', tool_call_id: 'b', content: 'of b' },
      { role: 'user', content: 'And?' },
      { role: 'tool', tool_call_id: 'a', content: 'of a' },
      { role: 'tool', tool_call_id: 'nobody', content: 'of nobody' },
    ]);
    expect(shapeOf(prepareHistory(history).messages)).toEqual([
      'user: Begin.',
      'assistant: I look.',
      'tool: of a',
      'tool: of b',
      'tool: {"error":"This call was not run."}',
      'user: And?',
    ]);
  });

  it('gives new ids to calls, so that two calls with the same id stay separate', () => {
    const round = (result: string) => [
      { role: 'assistant' as const, content: null, tool_calls: [call('same')] },
      { role: 'tool' as const, tool_call_id: 'same', content: result },
    ];
    const history = historyOfCaller([{ role: 'user', content: 'Go.' }, ...round('one'), ...round('two')]);
    expect(history.flatMap((each) => (each.role === 'tool' ? [each.content] : []))).toEqual(['one', 'two']);
    expect(JSON.stringify(history)).not.toContain('same');
  });

  it('sends the images of messages and of results as image parts', () => {
    const image = { type: 'image_url' as const, image_url: { url: png } };
    const history = historyOfCaller([
      { role: 'user', content: [{ type: 'text', text: 'Like this' }, image] },
      { role: 'assistant', content: '', tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: [image] },
      { role: 'tool', tool_call_id: 'b', content: 'of b' },
    ]);
    const wire = toWireMessages(prepareHistory(history).messages, 'm', dialectOf('http://localhost/v1', 'm'));
    expect(wire.map(({ role, content }) => [role, content])).toEqual([
      ['user', [{ type: 'text', text: 'Like this' }, image]],
      ['assistant', expect.anything()],
      ['tool', 'The image follows.'],
      ['tool', 'of b'],
      ['user', [{ type: 'text', text: 'The image that was asked for:' }, image]],
    ]);
  });

  it.each([
    ['an address on the web', 'https://example.com/a.png'],
    ['a file', 'file:///etc/passwd'],
    ['another type', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['a type that it is not', png.replace('png', 'jpeg')],
    ['no base64', 'data:image/png;base64,%%%'],
    ['too much', `${png}${'A'.repeat(7_000_000)}`],
  ])('refuses an image that is %s', (_, url) => {
    const content = [{ type: 'image_url' as const, image_url: { url } }];
    expect(() => historyOfCaller([{ role: 'user', content }])).toThrow(
      expect.objectContaining({ code: 'image_refused' }),
    );
  });

  it('refuses more images than a request may hold', () => {
    const content = Array.from({ length: 9 }, () => ({ type: 'image_url' as const, image_url: { url: png } }));
    expect(() => historyOfCaller([{ role: 'user', content }])).toThrow(/at most 8/);
  });
});

describe('independent calls', () => {
  it('run at once behind a pending call, and the pending turn resumes like any other', async () => {
    const notebook: Notebook = { ran: [] };
    const llm = scriptedLlm([
      {
        calls: [
          { name: 'write_note', args: { text: 'a' } },
          { name: 'read_note', args: { page: 1 } },
          { name: 'nothing_such' },
          { name: 'ask_person', args: { question: 'Which?' } },
          { name: 'read_note', args: { page: 2 } },
        ],
      },
      { text: 'Done.' },
    ]);
    const input = practiceInput(llm, notebook);
    const profile = { ...input.profile, callsAreIndependent: true as const };
    const { result } = await drain({ ...input, profile });
    const pending = pendingOf(result);
    expect(notebook.ran).toEqual(['read 1', 'read 2']);
    expect(pending.batch.executed.map(({ name, success }) => [name, success])).toEqual([
      ['read_note', true],
      ['nothing_such', false],
      ['read_note', true],
    ]);
    const waiting = pending.batch.calls.slice(pending.batch.executed.length);
    expect(waiting.map(({ name }) => name)).toEqual(['write_note', 'ask_person']);

    const approvals = [{ call_id: waiting[0]!.id, approved: true }];
    const resumed = await drain({ ...input, profile, turn: { pending, approvals, answers: [] } });
    expect(resumed.result.status).toBe('completed');
    expect(notebook.ran).toEqual(['read 1', 'read 2', 'write a']);
    llm.assertFinished();
  });
});

describe('the turn of a stateless caller', () => {
  it('checks and runs the approved calls under their own ids, and asks no model', async () => {
    const notebook: Notebook = { ran: [] };
    const llm = scriptedLlm([]);
    const input = practiceInput(llm, notebook);
    const calls = [
      { id: 'one', name: 'write_note', arguments: '{"text":"a"}' },
      { id: 'two', name: 'write_note', arguments: '{"text":"b"}' },
      { id: 'three', name: 'write_note', arguments: '{"text":""}' },
    ];
    const pending = turnHeldByCaller({
      turnId: 'd'.repeat(24),
      owner: { organizationId: '', documentId: '', userId: '' },
      calls,
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    });
    const { result } = await drain({
      ...input,
      profile: { ...input.profile, limits: { maxRounds: 0, timeoutMs: 5000 } },
      turn: {
        pending,
        approvals: calls.map(({ id }) => ({ call_id: id, approved: id !== 'two' })),
        answers: [],
      },
    });
    expect(notebook.ran).toEqual(['write a']);
    expect(result.status).toBe('max_rounds');
    expect(result.executedRounds[0]?.tool_calls.map(({ id, success }) => [id, success])).toEqual([
      ['one', true],
      ['two', false],
      ['three', false],
    ]);
    expect(shapeOf(result.messages)[1]).toBe('tool: User rejected this action.');
    llm.assertFinished();
  });
});

it('joins text parts as lines, collects images, and places each result once behind its call', () => {
  const image = { type: 'image_url' as const, image_url: { url: png } };
  const history = historyOfCaller([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two' },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [call('a'), call('b'), call('c')] },
    { role: 'tool', tool_call_id: 'a', content: [] },
    { role: 'tool', tool_call_id: 'a', content: 'again' },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'seen' }, image] },
    { role: 'tool', tool_call_id: 'c', content: [image] },
    { role: 'tool', content: 'of nobody' } as never,
    { role: 'assistant', content: 'Done.' },
    { role: 'assistant', content: null },
  ]);
  const [a, b, c] = [1, 2, 3].map((number) => callIdFor('abc'[number - 1]!, number));
  const readNote = { name: 'read_note', arguments: '{}' };
  expect(history).toStrictEqual([
    { role: 'user', content: 'One\nTwo' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [a, b, c].map((id) => ({ id, ...readNote })),
    },
    { role: 'tool', callId: a, content: '' },
    { role: 'tool', callId: b, content: 'seen' },
    { role: 'tool', callId: c, content: 'The image follows.' },
    { role: 'user', content: 'The image that was asked for:', images: [expect.any(String), expect.any(String)] },
    { role: 'assistant', content: 'Done.' },
    { role: 'assistant', content: '' },
  ]);
});

it('the pending turn of a stateless caller has only its calls', () => {
  const owner = { organizationId: 'o', documentId: '', userId: 'u' };
  const workingState = { schema_revid: null, prompt_revid: null, extraction: null };
  const calls = [{ id: 'c1', name: 'write_note', arguments: '{}' }];
  expect(turnHeldByCaller({ turnId: 't', owner, calls, workingState })).toStrictEqual({
    turnId: 't',
    threadId: 't',
    owner,
    settings: { model: '', mentions: [], autoApprove: false, autoApprovedTools: [] },
    status: 'awaiting_approval',
    roundsUsed: 0,
    transcript: [{ role: 'assistant', content: '', toolCalls: calls }],
    historyLength: 1,
    workingState,
    executedRounds: [],
    batch: {
      calls: [{ ...calls[0], effect: 'read_write', summary: 'write_note', needs_approval: true }],
      refusals: {},
      baselines: {},
      executed: [],
    },
    text: '',
    usage: { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false },
    eventCount: 0,
  });
});
