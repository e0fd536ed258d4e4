import { expect, it } from 'vitest';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { checkDecisions } from './approval.ts';
import { practiceTools } from '../testing/practice-turn.ts';

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
