import { expect, it } from 'vitest';
import { createInMemoryTasks } from '../testing/in-memory-tasks.ts';
import { drain, practiceInput } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { createTaskAgentProfile } from './profile.ts';

const profile = createTaskAgentProfile({ maxRounds: 5, timeoutMs: 5000 });

/** Runs a turn of a model that deletes the only task. Returns whether it was deleted. */
async function deletedAfter(person: string, agent = ''): Promise<boolean> {
  const tasks = createInMemoryTasks([{ title: 'Call the bank', due_at: '2026-11-27' }]);
  const services = {
    tasks: tasks.service,
    now: () => new Date(),
    recentDocuments: async () => [],
    conversation: { person, agent },
  };
  const llm = scriptedLlm([
    { calls: [{ name: 'delete_task', args: { task_id: tasks.all[0]!.id } }] },
    { text: 'Done.' },
  ]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  await drain({ ...input, profile, services, decide: async () => ({ effect: 'allow' }) });
  return tasks.all.length === 0;
}

it.each([
  ['delete the bank call', '', true],
  ['delete everything that is done', '', true],
  ['lösche alle', '', true],
  ['yes, do it', 'Shall I delete “Call the bank”?', true],
  ['what is due this week?', '', false],
  ['add a task: read the contract', 'Noted.', false],
])('deletes a task only if the user named it: %s / %s', async (person, agent, expected) => {
  expect(await deletedAfter(person, agent)).toBe(expected);
});

it('shows a date without a time, and the open tasks in the tail of a request', async () => {
  const tasks = createInMemoryTasks([{ title: 'Call the bank', due_at: '2026-11-27' }]);
  const services = {
    tasks: tasks.service,
    now: () => new Date('2026-11-22T10:00:00Z'),
    recentDocuments: async () => [],
  };
  const llm = scriptedLlm([{ calls: [{ name: 'list_tasks' }] }, { text: 'One.' }]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  const { result } = await drain({ ...input, profile, services });
  expect(JSON.stringify(result.executedRounds)).toContain('"due_at":"2026-11-27"');
  const [first, last] = [llm.requests[1]!.messages[0], llm.requests[1]!.messages.at(-1)];
  expect(first?.content).not.toContain('2026-11-22');
  expect(last).toMatchObject({ role: 'system', content: expect.stringContaining('"Call the bank"') });
});
