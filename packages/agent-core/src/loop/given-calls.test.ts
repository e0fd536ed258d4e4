import type { TurnEvent } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';
import { turnAtStart, type NewTurn, type RunTurnInput } from './run-turn.ts';

/** A model that fails on every request. */
const noModel = () => scriptedLlm([]);

function given(...calls: { name: string; arguments: string }[]): { turn: NewTurn } {
  const { turn } = practiceInput(noModel(), { ran: [] }) as { turn: NewTurn };
  return {
    turn: { ...turn, messages: [], settings: { ...turn.settings, given: { via: 'mcp', calls, areOfDocument: true } } },
  };
}

const read = { name: 'read_note', arguments: '{"page":2}' };
const write = { name: 'write_note', arguments: '{"text":"x"}' };

describe('a turn of calls that a program supplies', () => {
  it('consists of these calls and asks no model', async () => {
    const notes: Notebook = { ran: [] };
    const { events, result } = await drain(practiceInput(noModel(), notes, given(read)));
    expect(result).toMatchObject({
      status: 'completed',
      text: '',
      executedRounds: [{ tool_calls: [{ name: 'read_note', success: true }] }],
      usage: { prompt_tokens: 0, completion_tokens: 0 },
    });
    expect(result.messages.map(({ role }) => role)).toEqual(['assistant', 'tool']);
    expect(events.map(({ type }) => type)).toEqual(['turn_started', 'tool_calls', 'tool_result', 'round_executed']);
    expect(notes.ran).toEqual(['read 2']);
  });

  it.each([
    [true, ['write x'], true],
    [false, [], false],
  ])('waits for approval, and ends after its decided batch: approved %s', async (approved, ran, success) => {
    const notes: Notebook = { ran: [] };
    const before = await drain(practiceInput(noModel(), notes, given(write)));
    const pending = pendingOf(before.result);
    expect([before.result.status, notes.ran]).toEqual(['awaiting_approval', []]);
    const approvals = [{ call_id: pending.batch.calls[0]!.id, approved }];
    const resumed = { turn: { pending, approvals, answers: [] } };
    const { result } = await drain(practiceInput(noModel(), notes, resumed));
    expect(result).toMatchObject({ status: 'completed', executedRounds: [{ tool_calls: [{ success }] }] });
    expect(notes.ran).toEqual(ran);
  });

  it.each([
    ['before its first checkpoint', (turn: NewTurn) => turnAtStart(turn, 1), ['read 2']],
    [
      'after its calls had run',
      (turn: NewTurn) => ({ ...turnAtStart(turn, 4), executedRounds: [{ round_index: 0, text: '', tool_calls: [] }] }),
      [],
    ],
  ])('resumes after its process died %s', async (_, pendingOfTurn, ran) => {
    const notes: Notebook = { ran: [] };
    const pending = JSON.parse(JSON.stringify(pendingOfTurn(given(read).turn))) as PendingTurn;
    const turn = { pending, approvals: [], answers: [], isOrphaned: true };
    const { result } = await drain(practiceInput(noModel(), notes, { turn }));
    expect([result.status, notes.ran]).toEqual(['completed', ran]);
  });

  it('reports an invalid call as its result', async () => {
    const wrong = given({ name: 'write_note', arguments: '{"text":5}' });
    const { result } = await drain(practiceInput(noModel(), { ran: [] }, wrong));
    expect(result).toMatchObject({
      status: 'completed',
      executedRounds: [{ tool_calls: [{ success: false, error: expect.stringContaining('do not fit write_note') }] }],
    });
  });
});

describe('a checkpoint', () => {
  /** The stored checkpoints with their events, and the result of the turn. */
  async function checkpoints(calls: object[], over: Partial<RunTurnInput<Notebook>> = {}) {
    const stored: [TurnEvent, PendingTurn][] = [];
    const llm = scriptedLlm([{ text: 'I see.', thinking: 'hm', calls: calls as never }, { text: 'Done.' }]);
    const checkpoint = async (event: TurnEvent, turn: PendingTurn) =>
      void stored.push([event, JSON.parse(JSON.stringify(turn)) as PendingTurn]);
    const drained = await drain(practiceInput(llm, { ran: [] }, { checkpoint, ...over }));
    return { stored, ...drained };
  }
  const writeNote = { name: 'write_note', args: { text: 'x' } };

  it('is stored before a batch with writes, each of its results and the end of its round is emitted', async () => {
    const { stored, events } = await checkpoints([{ name: 'read_note' }, { name: 'fly' }, writeNote], {
      decide: () => ({ effect: 'allow' }),
    });
    expect(stored.map(([{ type }]) => type)).toEqual(['tool_calls', ...Array(3).fill('tool_result'), 'round_executed']);
    const [[, batch], [, first], , , [, last]] = stored as [
      [TurnEvent, PendingTurn],
      [TurnEvent, PendingTurn],
      unknown,
      unknown,
      [TurnEvent, PendingTurn],
    ];
    const ids = batch.batch.calls.map(({ id }) => id);
    expect(batch).toMatchObject({
      status: 'awaiting_approval',
      text: 'I see.',
      thinking: 'hm',
      roundsUsed: 1,
      historyLength: 1,
      eventCount: events.findIndex(({ type }) => type === 'tool_calls') + 1,
      lastEvent: { type: 'tool_calls' },
      batch: {
        isUndecided: true,
        executed: [],
        refusals: { [ids[1]!]: expect.stringContaining('no tool called fly') },
      },
    });
    expect(Object.keys(batch.batch.refusals)).toEqual([ids[1]]);
    expect(Object.keys(batch.batch.baselines)).toEqual([ids[2]]);
    expect(first.batch).toMatchObject({ isUndecided: true, executed: [{ id: ids[0], success: true }] });
    expect(last).toMatchObject({
      batch: { calls: [], refusals: {}, baselines: {}, executed: [] },
      executedRounds: [{ round_index: 0, text: 'I see.', thinking: 'hm', tool_calls: [{}, {}, {}] }],
      text: '',
    });
    expect(last.batch).not.toHaveProperty('isUndecided');
    expect(last).not.toHaveProperty('thinking');
  });

  it('is stored only at the end of a round that just reads', async () => {
    const { stored, events } = await checkpoints([{ name: 'read_note' }]);
    expect(stored.map(([{ type }]) => type)).toEqual(['round_executed']);
    expect(events.map(({ type }) => type)).toContain('tool_result');
  });

  it('of a decided batch is not undecided', async () => {
    const { result } = await checkpoints([{ name: 'ask_person', args: { question: 'Which?' } }]);
    const pending = pendingOf(result);
    expect(pending.batch).not.toHaveProperty('isUndecided');
    const answers = [{ call_id: pending.batch.calls[0]!.id, answers: [] }];
    const { stored } = await checkpoints([], { turn: { pending, approvals: [], answers }, llm: scriptedLlm([{}]) });
    expect(stored.map(([{ type }]) => type)).toEqual(['tool_result', 'round_executed']);
    expect(stored[0]![1].batch).not.toHaveProperty('isUndecided');
  });

  it('resumes in another process: an orphaned turn emits turn_started if its round starts again', async () => {
    const { stored } = await checkpoints([writeNote], { decide: () => ({ effect: 'allow' }) });
    const resumed = async (at: number, isOrphaned?: true) => {
      const pending = stored[at]![1];
      const turn = { pending, approvals: [], answers: [], ...(isOrphaned && { isOrphaned }) };
      const over = { turn, llm: scriptedLlm([{ text: 'Done.' }]), decide: () => ({ effect: 'allow' as const }) };
      const { events, result } = await checkpoints([], over);
      return { first: events[0], result };
    };
    const between = await resumed(2, true);
    expect(between.first).toMatchObject({ type: 'turn_started', resumed: true, turn_id: 'd'.repeat(24), model: 'm' });
    expect(between.result).toMatchObject({ status: 'completed', text: 'Done.', executedRounds: [{ text: 'I see.' }] });
    expect((await resumed(2)).first?.type).toBe('assistant_text_chunk');
    expect((await resumed(0, true)).first?.type).toBe('tool_result');
  });
});
