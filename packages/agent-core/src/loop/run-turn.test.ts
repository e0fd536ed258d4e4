import { DomainError, turnAnswer, turnEvent } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { findViolations, generatedTranscript, seededRandom } from '../testing/generated-transcripts.ts';
import { drain, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { defaultDecide } from '../permissions/default-decide.ts';
import { closingEventOf, turnAnswerOf } from './turn-result.ts';

const unreachable = new DomainError('model_failed', 'model_unreachable', 'Check LLM_BASE_URL.');

function notebook(): Notebook {
  return { ran: [] };
}

describe('a turn of text', () => {
  it('emits the model’s output as it arrives, and completes', async () => {
    const llm = scriptedLlm([{ thinking: 'hm', text: ['Hel', 'lo'] }]);
    const { events, result } = await drain(practiceInput(llm, notebook()));
    expect(events.map((event) => event.type)).toEqual([
      'turn_started',
      'thinking_chunk',
      'thinking_done',
      'assistant_text_chunk',
      'assistant_text_chunk',
      'assistant_text_done',
      'usage',
    ]);
    expect(result).toMatchObject({ status: 'completed', text: 'Hello', thinking: 'hm', eventCount: events.length });
    expect(result.usage).toEqual({ prompt_tokens: 100, completion_tokens: 10, spu: 1, estimated: false });
    expect(events[2]).toMatchObject({ duration_ms: expect.any(Number) });
    expect(result.context).toEqual({ tokens: 110, messages: 2, max_messages: 20 });
    expect(result.messages).toEqual([{ role: 'assistant', content: 'Hello', model: 'm' }]);
  });

  it('sends at most as many messages as its caller sets, 20 by default', async () => {
    const messages = Array.from({ length: 25 }, (_, at) => ({ role: 'user' as const, content: `m${at}` }));
    const { turn } = practiceInput(scriptedLlm([]), notebook());
    if ('pending' in turn) throw new Error('This turn is new.');
    for (const [limit, first] of [
      [{ maxMessages: 25 }, /^m0$/],
      [{}, /^\[\d+ earlier messages left out:\n- Person: m0\n/],
    ] as const) {
      const llm = scriptedLlm([{ text: 'ok' }]);
      await drain(practiceInput(llm, notebook(), { turn: { ...turn, messages, ...limit } }));
      expect(llm.requests[0]?.messages[1]?.content).toMatch(first);
    }
  });

  it('emits events and an answer that fit the contract', async () => {
    const llm = scriptedLlm([
      { text: 'I look.', calls: [{ name: 'read_note' }] },
      { calls: [{ name: 'write_note', args: { text: 'x' } }] },
    ]);
    const { events, result } = await drain(practiceInput(llm, notebook()));
    for (const event of [...events, closingEventOf(result)]) expect(turnEvent.parse(event)).toEqual(event);
    expect(turnAnswer.parse(turnAnswerOf(result))).toEqual(turnAnswerOf(result));
  });
});

describe('a turn with calls', () => {
  it('runs read-only calls at once, in the order of the model, and gives it the results', async () => {
    const notes = notebook();
    const llm = scriptedLlm([
      { text: 'Looking.', calls: [{ name: 'read_note', args: { page: 2 } }, { name: 'read_note' }] },
      { text: 'Done.' },
    ]);
    const { events, result } = await drain(practiceInput(llm, notes));
    expect(notes.ran).toEqual(['read 2', 'read 1']);
    expect(events.map((event) => event.type).slice(3)).toEqual([
      'usage',
      'tool_calls',
      'tool_result',
      'tool_result',
      'round_executed',
      'assistant_text_chunk',
      'assistant_text_done',
      'usage',
    ]);
    const [, user, assistant, first, second] = llm.requests[1]!.messages;
    expect(user).toEqual({ role: 'user', content: 'Go on.' });
    expect(assistant).toMatchObject({
      role: 'assistant',
      content: 'Looking.',
      toolCalls: [{ name: 'read_note' }, { name: 'read_note' }],
    });
    expect(first).toMatchObject({ role: 'tool', content: '{"page":2,"text":"a note"}' });
    expect(second).toMatchObject({ role: 'tool' });
    expect(result.executedRounds).toMatchObject([
      { round_index: 0, text: 'Looking.', tool_calls: [{ success: true }, { success: true }] },
    ]);
    llm.assertFinished();
  });

  it('gives every call an id of its own, whatever id the provider gave it', async () => {
    const call = { name: 'read_note', providerId: 'call_0' };
    const llm = scriptedLlm([{ calls: [call, call] }, { calls: [call] }, {}]);
    const { result } = await drain(practiceInput(llm, notebook()));
    const ids = result.executedRounds.flatMap((round) => round.tool_calls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  it.each([
    ['an unknown tool', { name: 'fly' }, /no tool called fly/],
    ['arguments that do not fit', { name: 'write_note', args: { text: 1 } }, /do not fit write_note/],
    ['cut JSON', { name: 'read_note', arguments: '{"page": 1' }, /not one complete JSON object/],
    ['two objects for one', { name: 'read_note', arguments: '{"page":1}{"page":2}' }, /not one complete JSON object/],
    ['a call that the answer ended in', { name: 'read_note', truncated: true as const }, /cut off/],
    [
      'a call that cannot be read',
      { name: 'read_note', arguments: '{"page":', truncated: true as const, unreadable: true as const },
      /no call that can be read, and has not been run: \{/,
    ],
    ['a rule of the domain', { name: 'refuse' }, /in use/],
  ])('gives %s back to the model as an error', async (_, call, message) => {
    const notes = notebook();
    const llm = scriptedLlm([{ calls: [call] }, { text: 'Sorry.' }]);
    const { events, result } = await drain(practiceInput(llm, notes));
    const answer = llm.requests[1]!.messages.at(-1);
    expect(answer).toMatchObject({ role: 'tool', content: expect.stringMatching(/^\{"error":".*"\}$/) });
    expect(answer?.content).toMatch(message);
    expect(events.find((event) => event.type === 'tool_result')).toMatchObject({
      success: false,
      error: expect.stringMatching(call.name === 'fly' ? /does not exist/ : message),
    });
    expect(result.status).toBe('completed');
    expect(notes.ran).toEqual([]);
    const sent = llm.requests[1]!.messages.at(-2);
    expect(sent).toMatchObject({ toolCalls: [{ arguments: expect.stringMatching(/^\{.*\}$/) }] });
  });

  it('puts the current working state into every prompt', async () => {
    const llm = scriptedLlm([{ calls: [{ name: 'write_note', args: { text: 'x' } }] }, {}]);
    const decide = defaultDecide({ role: 'member', autoApprove: true, autoApprovedTools: [] });
    const { result } = await drain(practiceInput(llm, notebook(), { decide }));
    expect(result.workingState.schema_revid).toBe(result.executedRounds[0]?.tool_calls[0]?.id);
    expect(llm.requests[0]!.messages[0]?.content).toContain('"schema_revid":null');
    expect(llm.requests[1]!.messages[0]?.content).toContain(`"schema_revid":"${result.workingState.schema_revid}"`);
  });

  it('ends at the round limit with all executed rounds', async () => {
    const llm = scriptedLlm(Array.from({ length: 3 }, () => ({ calls: [{ name: 'read_note' }] })));
    const input = practiceInput(llm, notebook());
    const profile = { ...input.profile, limits: { maxRounds: 3, timeoutMs: 5000 } };
    const { result } = await drain({ ...input, profile });
    expect(result).toMatchObject({ status: 'max_rounds', text: '' });
    expect(result.executedRounds).toHaveLength(3);
    llm.assertFinished();
  });
});

describe('a request to the model', () => {
  it('is valid in every round, for any earlier transcript and any calls', async () => {
    const names = ['read_note', 'fly away', 'refuse', ''];
    for (let seed = 0; seed < 300; seed++) {
      const below = seededRandom(seed);
      const calls = Array.from({ length: 1 + below(3) }, () => ({
        name: names[below(4)]!,
        arguments: ['{}', '{"page":', '[]'][below(3)]!,
      }));
      const llm = scriptedLlm([{ calls }, { text: ' ', calls }, {}]);
      const input = practiceInput(llm, notebook());
      const messages = [...generatedTranscript(seed), { role: 'user' as const, content: 'Go on.' }];
      await drain({ ...input, turn: { ...input.turn, messages } });
      for (const request of llm.requests) expect(findViolations(request.messages), `seed ${seed}`).toEqual([]);
      llm.assertFinished();
    }
  });
});

describe('permissions', () => {
  it('refuses the writes of a viewer and tells the model why', async () => {
    const notes = notebook();
    const decide = defaultDecide({ role: 'viewer', autoApprove: true, autoApprovedTools: ['write_note'] });
    const llm = scriptedLlm([{ calls: [{ name: 'write_note', args: { text: 'x' } }] }, { text: 'I may not.' }]);
    const { result } = await drain(practiceInput(llm, notes, { decide }));
    expect(notes.ran).toEqual([]);
    expect(result.executedRounds[0]?.tool_calls[0]).toMatchObject({
      success: false,
      error: expect.stringContaining('only read'),
    });
  });

  it('runs a tool that the turn approves beforehand, and asks for the others', async () => {
    const notes = notebook();
    const decide = defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: ['write_note'] });
    const llm = scriptedLlm([{ calls: [{ name: 'write_note', args: { text: 'x' } }] }, { text: 'ok' }]);
    const { events, result } = await drain(practiceInput(llm, notes, { decide }));
    expect(result.status).toBe('completed');
    expect(notes.ran).toEqual(['write x']);
    expect(events.find((event) => event.type === 'tool_calls')).toMatchObject({
      tool_calls: [{ needs_approval: false }],
    });
  });
});

describe('failure and stop', () => {
  it('throws an error that occurs before any output', async () => {
    const llm = scriptedLlm([{ error: unreachable }]);
    await expect(drain(practiceInput(llm, notebook()))).rejects.toBe(unreachable);
  });

  it.each([
    ['in the middle of its text', [{ text: 'I th', error: unreachable }], [], ['I th']],
    ['after a round', [{ calls: [{ name: 'read_note' }] }, { error: unreachable }], ['read_note'], ['']],
  ])('preserves text and calls when the model fails %s', async (_, steps, ran, answers) => {
    const { result } = await drain(practiceInput(scriptedLlm(steps), notebook()));
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'model_unreachable', message: 'Check LLM_BASE_URL.' },
    });
    expect(result.executedRounds.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name))).toEqual(ran);
    const kept = result.messages.flatMap((message) => (message.role === 'assistant' ? [message] : []));
    expect(kept.map(({ content }) => content)).toEqual(answers);
    if (ran.length === 0) expect(kept).toStrictEqual([{ role: 'assistant', content: 'I th', model: 'm' }]);
    expect(closingEventOf(result)).toEqual({
      type: 'error',
      code: 'model_unreachable',
      message: 'Check LLM_BASE_URL.',
    });
  });

  it('ends the turn at an unexpected error of a tool, and reveals no internals', async () => {
    const llm = scriptedLlm([{ calls: [{ name: 'read_note' }, { name: 'explode' }, { name: 'read_note' }] }]);
    const { result } = await drain(practiceInput(llm, notebook()));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'internal_error' }, cause: expect.any(TypeError) });
    expect(JSON.stringify(turnAnswerOf(result))).not.toContain('secret');
    expect(result.executedRounds).toMatchObject([{ tool_calls: [{ name: 'read_note', success: true }] }]);
    const alone = await drain(practiceInput(scriptedLlm([{ text: 'So.', calls: [{ name: 'explode' }] }]), notebook()));
    expect(alone.result.messages).toMatchObject([{ role: 'assistant', content: 'So.' }]);
    expect(alone.result.messages).toHaveLength(1);
  });

  it('stops while the model writes, and keeps what it wrote', async () => {
    const controller = new AbortController();
    const llm = scriptedLlm([{ text: 'Half', hangs: true }]);
    const { result } = await drain(practiceInput(llm, notebook(), { signal: controller.signal }), (event) => {
      if (event.type === 'assistant_text_chunk') setTimeout(() => controller.abort(), 1);
    });
    expect(result).toMatchObject({
      status: 'stopped',
      text: 'Half',
      messages: [{ role: 'assistant', content: 'Half' }],
    });
  });

  it('stops between two calls, and keeps the one that ran', async () => {
    const controller = new AbortController();
    const notes = notebook();
    const llm = scriptedLlm([{ calls: [{ name: 'read_note' }, { name: 'read_note', args: { page: 2 } }] }]);
    const { result } = await drain(practiceInput(llm, notes, { signal: controller.signal }), (event) => {
      if (event.type === 'tool_result') controller.abort();
    });
    expect(result).toMatchObject({ status: 'stopped', executedRounds: [{ tool_calls: [{ success: true }] }] });
    expect(notes.ran).toEqual(['read 1']);
  });

  it('ends a turn that takes too long', async () => {
    const input = practiceInput(scriptedLlm([{ text: 'Well', hangs: true }]), notebook());
    const profile = { ...input.profile, limits: { maxRounds: 3, timeoutMs: 20 } };
    const { result } = await drain({ ...input, profile });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'turn_timeout' }, text: 'Well' });
  });
});
