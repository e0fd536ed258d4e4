import type { ProposedCall } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { defaultDecide } from '../permissions/default-decide.ts';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { CallRecord, RecordCalls } from './call-record.ts';
import type { Decide } from '../permissions/permission.ts';
import type { Decisions } from './approval.ts';
import { describeFailure, timeoutError, turnAnswerOf, type TurnOutcome } from './turn-result.ts';

const writeX = { name: 'write_note', args: { text: 'x' } };
const allow = defaultDecide({ role: 'member', autoApprove: true, autoApprovedTools: [] });

function failsToRecord(kind: CallRecord['kind']): RecordCalls {
  return async (records) => {
    if (records.some((record) => record.kind === kind)) throw new Error('The log is full.');
  };
}

it.each([
  ['proposed', 0],
  ['decided', 0],
  ['executed', 1],
] as const)('a step that cannot be recorded ends the turn: %s', async (kind, ran) => {
  const notes: Notebook = { ran: [] };
  const llm = scriptedLlm([{ text: 'I write.', calls: [writeX, writeX] }]);
  const { result } = await drain(practiceInput(llm, notes, { decide: allow, recordCalls: failsToRecord(kind) }));
  expect(result.status).toBe('failed');
  expect(notes.ran).toHaveLength(ran);
});

it('a decision that cannot be recorded runs nothing', async () => {
  const notes: Notebook = { ran: [] };
  const { result } = await drain(practiceInput(scriptedLlm([{ calls: [writeX] }]), notes));
  const pending = pendingOf(result);
  const approvals = [{ call_id: pending.batch.calls[0]!.id, approved: true }];
  const input = practiceInput(scriptedLlm([]), notes, { recordCalls: failsToRecord('decided') });
  const after = await drain({ ...input, turn: { pending, approvals, answers: [] } });
  expect(after.result.status).toBe('failed');
  expect(notes.ran).toEqual([]);
});

it('records each step of a call, including a tool that throws', async () => {
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

function withoutId(whole: CallRecord): Omit<CallRecord, 'callId'> {
  const { callId: _, ...record } = whole;
  return record;
}

/** The records of a turn with one pause: those of the proposal, and those after the decision. */
async function recordsOf(
  calls: { name: string; args?: Record<string, unknown> }[],
  decide: Decide,
  decisions: (ids: string[]) => Partial<Decisions>,
) {
  const records: CallRecord[] = [];
  const recordCalls: RecordCalls = async (added) => void records.push(...added);
  const { result } = await drain(practiceInput(scriptedLlm([{ calls }]), { ran: [] }, { recordCalls, decide }));
  const proposed = records.splice(0).map(withoutId);
  const pending = pendingOf(result);
  const given = { approvals: [], answers: [], ...decisions(pending.batch.calls.map(({ id }) => id)) };
  const input = practiceInput(scriptedLlm([{ text: 'Done.' }]), { ran: [] }, { recordCalls, decide });
  await drain({ ...input, turn: { pending, ...given } });
  return { proposed, decided: records.map(withoutId) };
}

it('records the decisions of rules and users, with the arguments that the user edited', async () => {
  const decide: Decide = () => ({ effect: 'ask', ruleId: 'r1' });
  const three = [writeX, writeX, { name: 'write_note', args: { text: 'z' } }];
  const { proposed, decided } = await recordsOf(three, decide, ([first, second]) => ({
    approvals: [
      { call_id: first!, approved: true },
      { call_id: second!, approved: true, arguments: '{"text":"y"}' },
    ],
  }));
  const writeOf = (text: string) => ({
    tool: 'write_note',
    arguments: JSON.stringify({ text }),
  });
  const withoutProvenance = (record: object) => {
    const { provenance: _, ...rest } = record as CallRecord;
    return rest;
  };
  expect(proposed.map(withoutProvenance)).toEqual(
    ['x', 'x', 'z'].map((text) => ({ ...writeOf(text), kind: 'proposed', decision: 'ask', ruleId: 'r1' })),
  );
  for (const record of proposed) expect(record.provenance).toEqual({ text: expect.any(Array) });
  expect(decided.map(withoutProvenance)).toStrictEqual([
    { kind: 'decided', ...writeOf('x'), decision: 'approved' },
    { kind: 'decided', ...writeOf('y'), decision: 'approved' },
    { kind: 'decided', ...writeOf('z'), decision: 'rejected' },
    { kind: 'executed', ...writeOf('x'), success: true, ruleId: 'r1' },
    { kind: 'executed', ...writeOf('y'), success: true, ruleId: 'r1' },
  ]);
  expect(decided[4]?.provenance).toEqual({ text: ['person'] });
});

it('records answers as answers, and the rule’s decision for a call that needs no user', async () => {
  const ask = { name: 'ask_person', args: { question: 'Which?' } };
  const decide: Decide = () => ({ effect: 'allow' });
  const { proposed, decided } = await recordsOf([ask, { name: 'read_note' }], decide, ([id]) => ({
    answers: [{ call_id: id!, answers: [] }],
  }));
  const asked = { tool: 'ask_person', arguments: '{"question":"Which?","id":"q1"}' };
  const read = { tool: 'read_note', arguments: '{"page":1}' };
  expect(proposed).toStrictEqual([
    { ...asked, decision: 'allow', kind: 'proposed' },
    { ...read, decision: 'allow', kind: 'proposed' },
    { ...read, decision: 'allow', kind: 'decided' },
  ]);
  expect(decided).toStrictEqual([
    { kind: 'decided', ...asked, decision: 'answered' },
    { kind: 'executed', ...asked, success: true },
    { kind: 'executed', ...read, success: true },
  ]);
});

it('records a denied call as decided, with the arguments that would have run', async () => {
  const records: CallRecord[] = [];
  const decide: Decide = () => ({ effect: 'deny', message: 'Not here.', ruleId: 'r2' });
  const recordCalls: RecordCalls = async (added) => void records.push(...added);
  await drain(
    practiceInput(
      scriptedLlm([{ calls: [{ name: 'ask_person', args: { question: 'Which?' } }] }, {}]),
      { ran: [] },
      { recordCalls, decide },
    ),
  );
  const denied = { tool: 'ask_person', arguments: expect.stringContaining('Which?'), decision: 'deny', ruleId: 'r2' };
  expect(records).toMatchObject([
    { ...denied, kind: 'proposed' },
    { ...denied, kind: 'decided' },
  ]);
});

describe('the answer of a turn', () => {
  const outcome: TurnOutcome = {
    turnId: 't',
    threadId: 'h',
    text: 'Done.',
    workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    executedRounds: [{ round_index: 0, text: '', tool_calls: [] }],
    usage: { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false },
    messages: [],
    eventCount: 1,
  };
  const answer = {
    thread_id: 'h',
    turn_id: 't',
    text: 'Done.',
    working_state: outcome.workingState,
    executed_rounds: outcome.executedRounds,
    tool_calls: [],
    usage: outcome.usage,
  };
  it('has thinking, context, pending calls and an error if the result has them', () => {
    expect(turnAnswerOf({ ...outcome, status: 'completed' })).toStrictEqual({ ...answer, status: 'completed' });
    const context = { tokens: 1, messages: 1, max_messages: 20 };
    const error = { code: 'c', message: 'm' };
    const more = { thinking: 'hm', context };
    expect(turnAnswerOf({ ...outcome, ...more, status: 'failed', error, cause: undefined })).toStrictEqual({
      ...answer,
      ...more,
      error,
      status: 'failed',
    });
    const call = { id: 'c1', name: 'write_note' } as ProposedCall;
    const pending = { batch: { calls: [call] } } as never;
    expect(turnAnswerOf({ ...outcome, status: 'awaiting_approval', pending })).toStrictEqual({
      ...answer,
      status: 'awaiting_approval',
      tool_calls: [call],
    });
  });

  it('tells the user what to do after a failure, and reveals no internals', () => {
    expect(describeFailure(new TypeError('secret'))).toEqual({
      code: 'internal_error',
      message: expect.stringMatching(/^The server failed unexpectedly\. .* Try again\.$/u),
    });
    expect(timeoutError(90_000)).toMatchObject({
      kind: 'model_failed',
      code: 'turn_timeout',
      message: 'The turn took longer than 90 s. Completed calls stay in effect. Send a message to continue.',
    });
  });
});
