import { describe, expect, it } from 'vitest';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';
import { turnAtStart, type NewTurn } from './run-turn.ts';

/** A model that must not be asked: every request is one too many. */
const noModel = () => scriptedLlm([]);

function given(...calls: { name: string; arguments: string }[]): { turn: NewTurn } {
  const { turn } = practiceInput(noModel(), { ran: [] }) as { turn: NewTurn };
  return {
    turn: { ...turn, messages: [], settings: { ...turn.settings, given: { via: 'mcp', calls, areOfDocument: true } } },
  };
}

const read = { name: 'read_note', arguments: '{"page":2}' };
const write = { name: 'write_note', arguments: '{"text":"x"}' };

describe('a turn of calls that a program gave', () => {
  it('is these calls alone', async () => {
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
  ])('waits as a model’s do, and ends with its batch once that is decided: %s', async (approved, ran, success) => {
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
    ['before anything of it was kept', (turn: NewTurn) => turnAtStart(turn, 1), ['read 2']],
    [
      'after its calls had run',
      (turn: NewTurn) => ({ ...turnAtStart(turn, 4), executedRounds: [{ round_index: 0, text: '', tool_calls: [] }] }),
      [],
    ],
  ])('goes on where its process died %s', async (_, pendingOfTurn, ran) => {
    const notes: Notebook = { ran: [] };
    const pending = JSON.parse(JSON.stringify(pendingOfTurn(given(read).turn))) as PendingTurn;
    const turn = { pending, approvals: [], answers: [], isOrphaned: true };
    const { result } = await drain(practiceInput(noModel(), notes, { turn }));
    expect([result.status, notes.ran]).toEqual(['completed', ran]);
  });

  it('tells what is wrong with a call as its result', async () => {
    const wrong = given({ name: 'write_note', arguments: '{"text":5}' });
    const { result } = await drain(practiceInput(noModel(), { ran: [] }, wrong));
    expect(result).toMatchObject({
      status: 'completed',
      executedRounds: [{ tool_calls: [{ success: false, error: expect.stringContaining('do not fit write_note') }] }],
    });
  });
});
