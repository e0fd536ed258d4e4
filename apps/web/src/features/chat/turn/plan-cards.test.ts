import type { Thread, TurnEvent } from '@docwright/contract';
import { expect, it } from 'vitest';
import { emptyChat, type ChatState } from '../../../agent-ui/chat-state.ts';
import { planProgress } from '../../../agent-ui/changes/plan-draft.ts';
import { chatReducer } from './chat-reducer.ts';
import { threadToState } from './thread-to-state.ts';

const steps = ['one', 'two', 'three'].map((id) => ({ id, tool: 'create_tag', arguments: { name: id } }));
const plan = { id: 'p', name: 'propose_plan', arguments: JSON.stringify({ title: 'Tags', steps }) };
const call = { id: 'c', name: 'create_tag', arguments: '{"name":"one"}' };
const of = { plan_id: 'p', step_id: 'one' };

const cardsIn = ({ entries }: ChatState) => entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards : []));

it('links a call of a plan to its step, live and loaded from the server', () => {
  const events = [
    { type: 'plan_step', plan_id: 'p', id: 'one', state: 'waiting' },
    { type: 'plan_step', plan_id: 'p', id: 'two', state: 'skipped' },
    { type: 'plan_step', plan_id: 'p', id: 'one', state: 'running', call_id: 'c' },
    { type: 'tool_result', call_id: 'c', success: false, error: 'No.' },
    { type: 'plan_step', plan_id: 'p', id: 'one', state: 'failed', call_id: 'c' },
  ] as TurnEvent[];
  const before: ChatState = {
    ...emptyChat,
    entries: [
      { kind: 'assistant', text: '', cards: [{ ...plan, state: 'done' }] },
      { kind: 'assistant', text: '', cards: [{ ...call, state: 'running' }] },
    ],
  };
  const frames = events.map((event, index) => ({ id: index + 1, event }));
  const [card, executed] = cardsIn(chatReducer(before, { type: 'frames', frames }));
  expect(card?.planSteps).toEqual({ one: 'failed', two: 'skipped' });
  expect(planProgress(card!)).toBe('0 of 1 done, 1 failed');
  expect(executed).toMatchObject({ state: 'failed', error: 'No.', plan: of });

  const result = { plan: 'Tags', approved_steps: [steps[0], steps[2]] };
  const thread = {
    id: 't',
    messages: [
      { role: 'user', content: 'Tag it' },
      { role: 'assistant', content: '', tool_calls: [plan] },
      { role: 'tool', tool_call_id: 'p', content: JSON.stringify(result), success: true },
      { role: 'assistant', content: '', tool_calls: [{ ...call, plan: of }] },
      { role: 'tool', tool_call_id: 'c', content: '{"error":"No."}', success: false },
      { role: 'assistant', content: 'It failed.' },
    ],
    latest_turn: { turn_id: 'u', status: 'completed', event_count: 9 },
  } as unknown as Thread;
  const [storedPlan, storedCall] = cardsIn(threadToState(thread));
  expect(storedPlan?.planSteps).toEqual({ one: 'failed', two: 'skipped', three: 'ended' });
  expect(storedCall).toMatchObject({ state: 'failed', plan: of });
});
