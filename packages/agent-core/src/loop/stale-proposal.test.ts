import { describe, expect, it } from 'vitest';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { RunTurnInput } from './run-turn.ts';

const write = (text: string) => ({ name: 'write_note', args: { text } });

/** Proposes, lets something happen while the batch waits, and approves everything. */
async function approveAfter(
  calls: { name: string; args: Record<string, unknown> }[],
  meanwhile: (notes: Notebook) => void,
  over: { edited?: string; input?: Partial<RunTurnInput<Notebook>> } = {},
) {
  const notes: Notebook = { ran: [], note: 'old' };
  const pending = pendingOf((await drain(practiceInput(scriptedLlm([{ calls }]), notes))).result);
  meanwhile(notes);
  const llm = scriptedLlm([{ text: 'Done.' }]);
  const approvals = pending.batch.calls.map(({ id }) => ({
    call_id: id,
    approved: true,
    ...(over.edited === undefined ? {} : { arguments: over.edited }),
  }));
  const { result } = await drain(
    practiceInput(llm, notes, { ...over.input, turn: { pending, approvals, answers: [] } }),
  );
  return { notes, results: result.executedRounds[0]!.tool_calls, told: llm.requests[0]!.messages.at(-1)?.content };
}

describe('a proposal that others overtook', () => {
  it('does not run; model and person are told what has changed', async () => {
    const { notes, results, told } = await approveAfter([write('x')], (notes) => {
      notes.note = 'theirs';
    });
    expect(notes.ran).toEqual([]);
    expect(results).toMatchObject([
      {
        success: false,
        error: expect.stringMatching(/^stale_proposal: the note has changed \(text was old and is theirs\)/u),
      },
    ]);
    expect(told).toContain('stale_proposal');
  });

  it('does not run with edited arguments either', async () => {
    const { notes } = await approveAfter([write('x')], (notes) => (notes.note = 'theirs'), { edited: '{"text":"y"}' });
    expect(notes.ran).toEqual([]);
  });

  it('runs where nothing moved, and where only calls of its own batch did', async () => {
    const { notes, results } = await approveAfter([write('x'), write('y'), write('z')], () => undefined);
    expect(notes.ran).toEqual(['write x', 'write y', 'write z']);
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
  });

  it('stays stale behind a stale one', async () => {
    const { notes, results } = await approveAfter([write('x'), write('y')], (notes) => (notes.note = 'theirs'));
    expect(notes.ran).toEqual([]);
    expect(results.map(({ success }) => success)).toEqual([false, false]);
  });

  it('runs again where it was its own write, cut off from its result', async () => {
    const { notes } = await approveAfter([write('x')], (notes) => (notes.note = 'x'), {
      input: { wasApplied: async () => true },
    });
    expect(notes.ran).toEqual(['write x']);
  });
});
