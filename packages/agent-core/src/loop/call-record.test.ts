import { expect, it } from 'vitest';
import { defaultDecide } from '../permissions/default-decide.ts';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { CallRecord, RecordCalls } from './call-record.ts';

const writeX = { name: 'write_note', args: { text: 'x' } };
const allow = defaultDecide({ role: 'member', autoApprove: true, autoApprovedTools: [] });

function refusing(kind: CallRecord['kind']): RecordCalls {
  return async (records) => {
    if (records.some((record) => record.kind === kind)) throw new Error('The log is full.');
  };
}

it.each([
  ['proposed', 0],
  ['decided', 0],
  ['executed', 1],
] as const)('a step that cannot be written down ends the turn: %s', async (kind, ran) => {
  const notes: Notebook = { ran: [] };
  const llm = scriptedLlm([{ text: 'I write.', calls: [writeX, writeX] }]);
  const { result } = await drain(practiceInput(llm, notes, { decide: allow, recordCalls: refusing(kind) }));
  expect(result.status).toBe('failed');
  expect(notes.ran).toHaveLength(ran);
});

it('a decision that cannot be written down runs nothing', async () => {
  const notes: Notebook = { ran: [] };
  const { result } = await drain(practiceInput(scriptedLlm([{ calls: [writeX] }]), notes));
  const pending = pendingOf(result);
  const approvals = [{ call_id: pending.batch.calls[0]!.id, approved: true }];
  const input = practiceInput(scriptedLlm([]), notes, { recordCalls: refusing('decided') });
  const after = await drain({ ...input, turn: { pending, approvals, answers: [] } });
  expect(after.result.status).toBe('failed');
  expect(notes.ran).toEqual([]);
});

it('tells each step with what is known of it then, of a tool that breaks too', async () => {
  const records: Omit<CallRecord, 'callId'>[] = [];
  const recordCalls: RecordCalls = async (added) => {
    for (const { callId: _, ...record } of added) records.push(record);
  };
  const calls = [{ name: 'read_note' }, { name: 'write_note', args: { text: 5 } }, { name: 'explode' }];
  await drain(practiceInput(scriptedLlm([{ calls }]), { ran: [] }, { recordCalls }));
  const read = { tool: 'read_note', arguments: '{"page":1}' };
  const explode = { tool: 'explode', arguments: '{}' };
  expect(records).toEqual([
    { ...read, kind: 'proposed', decision: 'allow' },
    { ...read, kind: 'decided', decision: 'allow' },
    { kind: 'proposed', tool: 'write_note', arguments: '{"text":5}', error: expect.stringContaining('do not fit') },
    { ...explode, kind: 'proposed', decision: 'allow' },
    { ...explode, kind: 'decided', decision: 'allow' },
    { ...read, kind: 'executed', success: true },
    { ...explode, kind: 'executed', success: false, error: expect.not.stringContaining('secret') },
  ]);
});
