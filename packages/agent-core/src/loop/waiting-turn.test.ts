import { describe, expect, it } from 'vitest';
import { drain, pendingOf, practiceInput, practiceTools, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm, type ScriptedStep } from '../testing/scripted-llm.ts';
import { checkDecisions, type Decisions } from './approval.ts';
import type { Decide } from '../permissions/permission.ts';

const writeX = { name: 'write_note', args: { text: 'x' } };
const readTwo = { name: 'read_note', args: { page: 2 } };

function notebook(): Notebook {
  return { ran: [] };
}

/** Runs a turn up to its pause, then resumes it from JSON, as another process would. */
async function decideOn(
  calls: readonly { name: string; args?: Record<string, unknown>; arguments?: string }[],
  decisions: (ids: string[]) => Partial<Decisions>,
  rest: readonly ScriptedStep[] = [{ text: 'Done.' }],
  over: { decide?: Decide } = {},
) {
  const notes = notebook();
  const before = await drain(practiceInput(scriptedLlm([{ text: 'May I?', calls }]), notes));
  const pending = pendingOf(before.result);
  const ranBefore = [...notes.ran];
  const llm = scriptedLlm(rest);
  const given = { approvals: [], answers: [], ...decisions(pending.batch.calls.map(({ id }) => id)) };
  const after = await drain(practiceInput(llm, notes, { ...over, turn: { pending, ...given } }));
  return { before, after, pending, notes, ranBefore, llm };
}

describe('a batch with a write', () => {
  it('is pending, with a summary and a preview', async () => {
    const notes = notebook();
    const llm = scriptedLlm([{ text: 'May I?', calls: [writeX] }]);
    const { events, result } = await drain(practiceInput(llm, notes));
    expect(result).toMatchObject({ status: 'awaiting_approval', text: 'May I?', executedRounds: [] });
    expect(pendingOf(result).batch.calls).toMatchObject([
      {
        name: 'write_note',
        arguments: '{"text":"x"}',
        effect: 'read_write',
        summary: 'Write "x"',
        needs_approval: true,
        preview: { kind: 'difference', after: 'x' },
      },
    ]);
    expect(events.at(-1)?.type).toBe('tool_calls');
    expect(notes.ran).toEqual([]);
  });

  it('resumes the same turn when it is approved', async () => {
    const { before, after, notes, llm } = await decideOn([writeX], ([id]) => ({
      approvals: [{ call_id: id!, approved: true }],
    }));
    expect(notes.ran).toEqual(['write x']);
    expect(after.events.map((event) => event.type)).toEqual([
      'tool_result',
      'round_executed',
      'assistant_text_chunk',
      'assistant_text_done',
      'usage',
    ]);
    expect(after.result).toMatchObject({ status: 'completed', text: 'Done.', turnId: before.result.turnId });
    expect(after.result.executedRounds).toMatchObject([
      { round_index: 0, text: 'May I?', tool_calls: [{ success: true }] },
    ]);
    expect(after.result.usage.prompt_tokens).toBe(200);
    expect(after.result.eventCount).toBe(before.events.length + 1 + after.events.length);
    expect(after.result.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(llm.requests[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  });

  it.each([
    ['rejected', [{ approved: false }], 'User rejected this action.'],
    [
      'rejected with a reason',
      [{ approved: false, reason: ' wrong name ' }],
      'User rejected this action. Reason: wrong name',
    ],
    ['left undecided', [], 'User rejected this action.'],
  ])('gives the model an error when it is %s', async (_, decisions, message) => {
    const { after, notes, llm } = await decideOn([writeX], ([id]) => ({
      approvals: decisions.map((each) => ({ ...each, call_id: id! })),
    }));
    expect(notes.ran).toEqual([]);
    expect(llm.requests[0]!.messages.at(-1)).toMatchObject({ role: 'tool', content: message });
    expect(after.result.executedRounds[0]?.tool_calls[0]).toMatchObject({ success: false, error: message });
  });

  it('runs calls before the write at once, and calls after it in order once it is decided', async () => {
    const { before, ranBefore, notes, pending } = await decideOn(
      [readTwo, writeX, { name: 'read_note' }],
      ([, write]) => ({
        approvals: [{ call_id: write!, approved: true }],
      }),
    );
    expect(ranBefore).toEqual(['read 2']);
    expect(notes.ran).toEqual(['read 2', 'write x', 'read 1']);
    expect(before.events.slice(-2).map(({ type }) => type)).toEqual(['tool_calls', 'tool_result']);
    expect(pending.batch.calls.map((call) => call.needs_approval)).toEqual([false, true, false]);
  });

  it('runs read-only calls although the write beside them is rejected', async () => {
    const { notes, after } = await decideOn([writeX, readTwo], () => ({}));
    expect(notes.ran).toEqual(['read 2']);
    expect(after.result.executedRounds[0]?.tool_calls.map(({ success }) => success)).toEqual([false, true]);
  });

  it('runs with the arguments that the user edited', async () => {
    const { notes, llm, after } = await decideOn([writeX], ([id]) => ({
      approvals: [{ call_id: id!, approved: true, arguments: '{"text":"y"}' }],
    }));
    expect(notes.ran).toEqual(['write y']);
    expect(after.result.executedRounds[0]?.tool_calls[0]?.arguments).toBe('{"text":"y"}');
    expect(llm.requests[0]!.messages.at(-2)).toMatchObject({ toolCalls: [{ arguments: '{"text":"y"}' }] });
  });

  it('never runs a call that was refused at its proposal, whatever is decided', async () => {
    const { notes } = await decideOn([writeX, { name: 'write_note', arguments: '{"text":' }], (ids) => ({
      approvals: ids.map((call_id) => ({ call_id, approved: true })),
    }));
    expect(notes.ran).toEqual(['write x']);
  });

  it('does not run an approved call that a new rule denies', async () => {
    const decide: Decide = () => ({ effect: 'deny', message: 'Not here.' });
    const { notes, llm } = await decideOn(
      [writeX],
      ([id]) => ({ approvals: [{ call_id: id!, approved: true }] }),
      [{}],
      { decide },
    );
    expect(notes.ran).toEqual([]);
    expect(llm.requests[0]!.messages.at(-1)?.content).toBe('{"error":"Not here."}');
  });

  it('does not run an undecided call that a new rule asks about', async () => {
    const decide: Decide = () => ({ effect: 'ask' });
    const { notes } = await decideOn([writeX, readTwo], () => ({}), [{}], { decide });
    expect(notes.ran).toEqual([]);
  });

  it('counts its rounds over the pause', async () => {
    const notes = notebook();
    const input = practiceInput(scriptedLlm([{ calls: [writeX] }]), notes);
    const profile = { ...input.profile, limits: { maxRounds: 1, timeoutMs: 5000 } };
    const pending = pendingOf((await drain({ ...input, profile })).result);
    const approvals = [{ call_id: pending.batch.calls[0]!.id, approved: true }];
    const llm = scriptedLlm([]);
    const { result } = await drain({ ...input, profile, llm, turn: { pending, approvals, answers: [] } });
    expect(result.status).toBe('max_rounds');
    expect(result.executedRounds[0]).not.toHaveProperty('thinking');
    expect(notes.ran).toEqual(['write x']);
  });

  it('is pending again at the next write', async () => {
    const { after } = await decideOn([writeX], ([id]) => ({ approvals: [{ call_id: id!, approved: true }] }), [
      { calls: [writeX] },
    ]);
    expect(after.result.status).toBe('awaiting_approval');
    expect(pendingOf(after.result)).toMatchObject({ roundsUsed: 2, executedRounds: [{ round_index: 0 }] });
  });

  it('keeps reasoning, signatures and provider ids over the pause', async () => {
    const reasoning = [{ kind: 'thinking', text: 'hm', signature: 's' }] as const;
    const llm = scriptedLlm([{ reasoning, calls: [{ ...writeX, providerId: 'call_7', extraContent: { google: 1 } }] }]);
    const pending = pendingOf((await drain(practiceInput(llm, notebook()))).result);
    expect(pending.transcript.at(-1)).toMatchObject({
      model: 'm',
      reasoning,
      toolCalls: [{ providerId: 'call_7', extraContent: { google: 1 } }],
    });
  });
});

describe('a call that asks the user', () => {
  const question = { name: 'ask_person', args: { question: 'Which?' } };

  it('waits for answers, with its ids filled in, and passes them to the model', async () => {
    const { before, after, pending, llm } = await decideOn([question], ([id]) => ({
      answers: [{ call_id: id!, answers: [{ question_id: 'q1', option_ids: ['o1'] }] }],
    }));
    expect(before.result.status).toBe('awaiting_answers');
    expect(pending.batch.calls).toMatchObject([
      { arguments: '{"id":"q1","question":"Which?"}', needs_approval: false },
    ]);
    expect(llm.requests[0]!.messages.at(-1)?.content).toBe('{"answers":[{"question_id":"q1","option_ids":["o1"]}]}');
    expect(after.result.status).toBe('completed');
  });

  it('is not pending if it is denied', async () => {
    const decide: Decide = () => ({ effect: 'deny', message: 'Not here.' });
    const llm = scriptedLlm([{ calls: [question] }, { text: 'Fine.' }]);
    const { result } = await drain(practiceInput(llm, notebook(), { decide }));
    expect(result).toMatchObject({ status: 'completed', executedRounds: [{ tool_calls: [{ error: 'Not here.' }] }] });
  });

  it('is rejected without answers', async () => {
    const { llm } = await decideOn([question], () => ({}));
    expect(llm.requests[0]!.messages.at(-1)?.content).toBe('User rejected this action.');
  });

  it('waits for an approval if its batch has a write', async () => {
    const { before } = await decideOn([question, writeX], () => ({}));
    expect(before.result.status).toBe('awaiting_approval');
  });
});

describe('decisions', () => {
  it.each([
    ['on a call of another turn', { approvals: [{ call_id: 'other', approved: true }] }, 'unknown_call'],
    [
      'that contradict each other',
      (id: string) => ({ approvals: [true, false].map((approved) => ({ call_id: id, approved })) }),
      'decided_twice',
    ],
    [
      'with arguments that do not fit',
      (id: string) => ({ approvals: [{ call_id: id, approved: true, arguments: '{"text":""}' }] }),
      'invalid_arguments',
    ],
  ])('%s are refused before the turn is taken', async (_, given, code) => {
    const { result } = await drain(practiceInput(scriptedLlm([{ calls: [writeX] }]), notebook()));
    const pending = pendingOf(result);
    const decisions = typeof given === 'function' ? given(pending.batch.calls[0]!.id) : given;
    const check = () => checkDecisions(practiceTools, pending, { answers: [], ...decisions });
    expect(check).toThrow(expect.objectContaining({ kind: 'unprocessable', code }));
  });
});
