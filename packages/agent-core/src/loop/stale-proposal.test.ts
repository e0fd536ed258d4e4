import { DomainError } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { drain, pendingOf, practiceInput, type Notebook } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import type { Baseline } from '../tool/baseline.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { ValidCall } from './prepare-call.ts';
import type { RunTurnInput } from './run-turn.ts';
import { baselineOf, refreshBaselines, staleEvidenceReason, staleReason } from './stale-proposal.ts';

const write = (text: string) => ({ name: 'write_note', args: { text } });

/** Proposes a batch, runs `meanwhile` while it is pending, and approves all calls. */
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
  const lastMessage = llm.requests[0]!.messages.at(-1)?.content;
  return { notes, results: result.executedRounds[0]!.tool_calls, lastMessage };
}

describe('a proposal whose target others have changed', () => {
  it('does not run, and its error names the change to model and user', async () => {
    const { notes, results, lastMessage } = await approveAfter([write('x')], (notes) => {
      notes.note = 'theirs';
    });
    expect(notes.ran).toEqual([]);
    expect(results).toMatchObject([
      {
        success: false,
        error: expect.stringMatching(/^stale_proposal: the note has changed \(text was old and is theirs\)/u),
      },
    ]);
    expect(lastMessage).toContain('stale_proposal');
  });

  it('does not run with edited arguments either', async () => {
    const { notes } = await approveAfter([write('x')], (notes) => (notes.note = 'theirs'), { edited: '{"text":"y"}' });
    expect(notes.ran).toEqual([]);
  });

  it('runs if only calls of its own batch changed the target', async () => {
    const { notes, results } = await approveAfter([write('x'), write('y'), write('z')], () => undefined);
    expect(notes.ran).toEqual(['write x', 'write y', 'write z']);
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
  });

  it('stays stale behind another stale call', async () => {
    const { notes, results } = await approveAfter([write('x'), write('y')], (notes) => (notes.note = 'theirs'));
    expect(notes.ran).toEqual([]);
    expect(results.map(({ success }) => success)).toEqual([false, false]);
  });

  it('runs again if the change was its own interrupted write', async () => {
    const { notes } = await approveAfter([write('x')], (notes) => (notes.note = 'x'), {
      input: { wasApplied: async () => true },
    });
    expect(notes.ran).toEqual(['write x']);
  });
});

/** A call whose baseline is `now`. */
const seeing = (now: () => Promise<Baseline>): ValidCall<null> => ({
  tool: defineTool({
    name: 'change',
    description: 'Changes.',
    effect: 'write',
    target: 'subject',
    argumentRoles: {},
    parameters: z.object({}),
    baseline: now,
    execute: async () => null,
  }),
  args: { a: 1 },
  arguments: '{}',
});
const context = { origin: { call_id: 'c1' } } as ToolContext<null>;
const seen = (thing: string, state = 'old') => ({ thing, name: `the ${thing}`, state: { text: state } });
const gone = () => Promise.reject(new DomainError('not_found', 'gone', 'Gone.'));
const since = 'since this call was proposed. It was not run. Read what is there now and propose it anew.';

describe('the baseline of a call', () => {
  it('is undefined if its target does not exist', async () => {
    expect(await baselineOf(seeing(gone), context)).toBeUndefined();
    await expect(
      baselineOf(
        seeing(() => Promise.reject(new TypeError('broken'))),
        context,
      ),
    ).rejects.toThrow('broken');
  });

  it.each<[string, Baseline, (() => Promise<Baseline>) | Baseline, boolean, string | undefined]>([
    ['the same', [seen('a')], [seen('a')], false, undefined],
    ['a change', [seen('a')], [seen('a', 'new')], false, 'the the a has changed (text was old and is new)'],
    ['nothing any more', [seen('a'), seen('b')], gone, false, 'the the a or the b is no longer there'],
    ['nothing any more, edited', [seen('a')], gone, true, undefined],
    ['another target, edited', [seen('a')], [seen('b')], true, undefined],
    [
      'a change beside another target, edited',
      [seen('a'), seen('b')],
      [seen('b', 'new'), seen('c')],
      true,
      'the the b has changed (text was old and is new)',
    ],
  ])('makes it stale or not: %s', async (_, baseline, now, isEdited, difference) => {
    const call = seeing(typeof now === 'function' ? now : async () => now);
    const stale = difference === undefined ? undefined : `stale_proposal: ${difference} ${since}`;
    expect(await staleReason(call, context, { baseline, isEdited })).toBe(stale);
    expect(await staleReason(call, context, { baseline, isEdited }, async (id) => id === 'c1')).toBeUndefined();
  });

  it('follows the object that an earlier call changed, and no other', async () => {
    const moved = async (former: Baseline | undefined, now: Baseline | (() => Promise<Baseline>), done?: Baseline) => {
      const baselines = new Map(former && [['c2', former]]);
      const call = seeing(typeof now === 'function' ? now : async () => now);
      await refreshBaselines(baselines, done, [{ id: 'c2', call, context }]);
      return baselines.get('c2');
    };
    const [was, is] = [
      [seen('a'), seen('b')],
      [seen('a', 'new'), seen('b', 'new')],
    ];
    expect(await moved(was, is, [seen('b'), seen('a')])).toEqual([seen('a'), seen('b', 'new')]);
    expect(await moved(was, is)).toEqual(was);
    expect(await moved(was, is, [])).toEqual(was);
    // Another target, or one more: an earlier call changed the working state.
    expect(await moved(was, [seen('a', 'new'), seen('c')])).toEqual([seen('a', 'new'), seen('c')]);
    expect(await moved([seen('a')], is)).toEqual(is);
    expect(await moved(was, [seen('a', 'new')])).toEqual([seen('a', 'new')]);
    expect(await moved(was, gone)).toEqual(was);
    expect(await moved(undefined, is)).toBeUndefined();
  });
});

it('an approval that rests on an evaluation is stale once the evaluation no longer applies, unless the call was applied', async () => {
  const asked: unknown[] = [];
  const evidence = (reason: string | undefined, wasApplied?: () => Promise<boolean>) =>
    staleEvidenceReason(
      {
        checkEvidence: async (...args) => {
          asked.push(args);
          return reason;
        },
        ...(wasApplied && { wasApplied }),
      },
      'e1',
      seeing(async () => []),
      context,
    );
  expect(await evidence(undefined)).toBeUndefined();
  expect(await evidence('It is old.')).toBe('stale_proposal: It is old. It was not run.');
  expect(await evidence('It is old.', async () => false)).toBe('stale_proposal: It is old. It was not run.');
  expect(await evidence('It is old.', async () => true)).toBeUndefined();
  expect(asked[0]).toEqual(['e1', { tool: 'change', args: { a: 1 }, callId: 'c1' }]);
  expect(await staleEvidenceReason({}, 'e1', seeing(gone), context)).toBeUndefined();
});

it('checks the evaluation only for the call that was approved with it', async () => {
  const checked: unknown[] = [];
  const notes: Notebook = { ran: [], note: 'old' };
  const calls = [write('x'), write('y')];
  const pending = pendingOf((await drain(practiceInput(scriptedLlm([{ calls }]), notes))).result);
  const [first, second] = pending.batch.calls.map(({ id }) => id);
  const approvals = [
    { call_id: first!, approved: true },
    { call_id: second!, approved: true, evaluation_id: 'e1' },
  ];
  const { result } = await drain(
    practiceInput(scriptedLlm([{ text: 'Done.' }]), notes, {
      turn: { pending, approvals, answers: [] },
      checkEvidence: async (...args) => {
        checked.push(args);
        return 'It is old.';
      },
    }),
  );
  expect(checked).toEqual([['e1', { tool: 'write_note', args: { text: 'y' }, callId: second }]]);
  expect(notes.ran).toEqual(['write x']);
  expect(result.executedRounds[0]?.tool_calls[1]).toMatchObject({
    error: 'stale_proposal: It is old. It was not run.',
  });
});
