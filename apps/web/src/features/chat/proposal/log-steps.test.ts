import { expect, it } from 'vitest';
import { logSteps } from './log-steps.ts';

it('lists the steps of a run in order, each call with its outcome', () => {
  const call = { id: 'c', name: 'create_schema', arguments: '{"name":"Invoice"}' };
  const steps = logSteps([
    {
      round_index: 0,
      thinking: 'Hm.',
      text: 'I look.',
      tool_calls: [
        { ...call, success: false, error: 'The name is taken.' },
        { ...call, id: 'd', success: true, result: { schema_id: 's' } },
      ],
    },
    { round_index: 1, text: 'Done.', tool_calls: [] },
  ]);
  expect(steps.map((step) => (step.kind === 'call' ? step.card.state : step.text))).toEqual([
    'Hm.',
    'I look.',
    'failed',
    'done',
    'Done.',
  ]);
});
