import type { CallDecision, PlanStepPreview, ProposedCall, TurnAnswer } from '@docwright/contract';
import { expect, test } from 'vitest';
import type { CommandContext } from '../context/context.ts';
import { decideCalls } from './decide-calls.ts';
import { planDecisions } from './plan-draft.ts';
import type { TurnPlace } from './run-turn.ts';

const step = (id: string, args: object, needs: string[] = []): PlanStepPreview => ({
  id,
  tool: 'create_tag',
  effect: 'read_write',
  summary: `Make ${id}`,
  why: '',
  arguments: JSON.stringify(args),
  needs,
  open: [],
});
const slot = (from: string) => ({ $from: from, path: 'schema_id' });
const steps = [
  step('schema', { name: 'Note' }),
  step('prompt', { schema_id: slot('schema') }, ['schema']),
  step('run', { prompt: slot('prompt') }, ['prompt']),
  step('tag', { name: 'Freight', color: '#204080' }),
];
const plan: ProposedCall = {
  id: 'p1',
  name: 'propose_plan',
  arguments: '{}',
  effect: 'read_write',
  summary: 'Plan: Set up (4 steps)',
  needs_approval: true,
  preview: { kind: 'plan', title: 'Set up', steps },
};

/** The decision and the messages after a user types these lines. */
async function decided(call: ProposedCall, lines: string[], place: Partial<TurnPlace> = {}) {
  const notes: string[] = [];
  const ask = async () => lines.shift();
  const context = {
    asker: { isTerminal: false, ask, askDiscardingInput: ask },
    output: { note: (text: string) => notes.push(text), style: (_: string, text: string) => text },
  } as unknown as CommandContext;
  const turn = { turn_id: 't1', tool_calls: [call] } as unknown as TurnAnswer;
  const answer = await decideCalls(context, place as TurnPlace, turn);
  const [decision] = typeof answer === 'string' ? [] : answer.approvals;
  return { decision, notes };
}

test.each<[string, string[], Partial<CallDecision>]>([
  ['unchanged', ['y'], {}],
  ['without a step', ['k', '4', 'y'], { steps: [{ id: 'tag', approved: false }] }],
  ['without one by its id', ['k', 'tag', 'y'], { steps: [{ id: 'tag', approved: false }] }],
  ['without one and those that need it', ['k', '2', 'y'], { steps: [{ id: 'prompt', approved: false }] }],
  ['with a step that was restored', ['k', '1', 'k', '3', 'y'], {}],
  [
    'with another argument',
    ['e', '4', '{"name": "Cargo"}', 'y'],
    { steps: [{ id: 'tag', approved: true, arguments: '{"name":"Cargo"}' }] },
  ],
  ['after an unknown step and invalid JSON', ['k', '9', 'e', '4', '{', 'e', '4', '[1]', 'y'], {}],
])('a plan is approved %s', async (_, lines, expected) => {
  const { decision } = await decided(plan, lines);
  expect(decision).toEqual({ call_id: 'p1', approved: true, ...expected });
});

test('skipping a step lists the steps skipped with it, and counts the remaining ones', async () => {
  const { notes } = await decided(plan, ['k', '1', 'n', '']);
  expect(notes).toContain('Also skipped, because they need its result: 2, 3.');
  expect(notes).toContain('y approves 1 of 4.');
});

test('--skip and --edit make the same decisions without questions', () => {
  const options = { skip: ['1'], edit: ['tag={"name":"Cargo"}'] };
  expect(planDecisions([plan], options, true)).toEqual([
    { id: 'schema', approved: false },
    { id: 'tag', approved: true, arguments: '{"name":"Cargo","color":"#204080"}' },
  ]);
  expect(planDecisions([plan], {}, true)).toBeUndefined();
  // An edit can remove the dependency on a skipped step.
  expect(planDecisions([plan], { skip: ['schema'], edit: ['2={"schema_id":"x"}'] }, true)).toHaveLength(2);
});

test.each<[string, object, boolean]>([
  ['a rejection', { skip: ['1'] }, false],
  ['a plan without steps', { skip: ['1', '4'] }, true],
  ['an unknown step', { skip: ['7'] }, true],
  ['an edit without arguments', { edit: ['2'] }, true],
  ['arguments that are not an object', { edit: ['2=5'] }, true],
])('%s is refused', (_, options, isApproved) => {
  expect(() => planDecisions([plan], options, isApproved)).toThrow();
});

test('a prompt change is measured, and its approval names the evaluation', async () => {
  const call: ProposedCall = {
    ...plan,
    name: 'update_prompt',
    preview: {
      kind: 'difference',
      title: 'Invoice',
      before: 'a',
      after: 'b',
      evaluation: { verified_documents: 20, spu_estimated: 40 },
    },
  };
  const totals = { fixed: 2, broken: 1, accuracy_before: 0.9, accuracy_after: 0.95 };
  const ended = { id: 'e1', state: 'completed', documents: { total: 20, done: 17, failed: 3 }, totals };
  const client = {
    chat: { evaluate: async () => ({ id: 'e1' }) },
    evaluations: { wait: async () => ended },
  } as unknown as TurnPlace['client'];
  const { decision, notes } = await decided(call, ['m', 'y'], { client, documentId: 'd' });
  expect(notes).toContain('│ Not measured. 20 verified documents, about 40 SPU.');
  expect(notes).toContain('17 of 20 documents: 2 fixed, 1 broken, 90.0 % → 95.0 %, 3 could not be measured');
  expect(decision).toEqual({ call_id: 'p1', approved: true, evaluation_id: 'e1' });
});
