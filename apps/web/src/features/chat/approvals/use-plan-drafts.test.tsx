import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it } from 'vitest';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { usePlanDrafts } from './use-plan-drafts.tsx';

afterEach(cleanup);

const steps = ['one', 'two'].map((id) => ({ id, tool: 'create_tag', arguments: { name: id } }));
const plan: ToolCard = {
  id: 'plan',
  name: 'propose_plan',
  arguments: JSON.stringify({ title: 'Tags', steps }),
  state: 'waiting',
};
const call: ToolCard = { id: 'call', name: 'create_tag', arguments: '{"name":"three"}', state: 'waiting' };

function Batch() {
  const cards = [plan, call];
  const plans = usePlanDrafts(cards);
  return (
    <Tooltip.Provider>
      {plans.renderSteps(plan)}
      <output aria-label="Ready">{plans.withStepsLeft(cards).map(({ id }) => id)}</output>
    </Tooltip.Provider>
  );
}

it('leaves a plan out of “Approve all” once all of its steps are skipped', async () => {
  render(<Batch />);
  expect(screen.getByRole('status', { name: 'Ready' }).textContent).toContain('plan');
  await userEvent.click(await screen.findByRole('button', { name: 'Skip step 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Skip step 2' }));
  expect(screen.getByRole('status', { name: 'Ready' }).textContent).toBe('call');
});
