import type { Task } from '@docwright/contract';
import { expect, it } from 'vitest';
import { createInMemoryTasks } from '../testing/in-memory-tasks.ts';
import { drain, practiceInput } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { createTaskAgentProfile } from './profile.ts';

const profile = createTaskAgentProfile({ maxRounds: 5, timeoutMs: 60_000 });

/** Runs a turn of a model that deletes the only task. Returns whether it was deleted. */
async function deletedAfter(
  person: string,
  agent = '',
  taskIdsOf?: (all: readonly Task[]) => string[],
  others: string[] = [],
): Promise<boolean> {
  const due_at = '2026-11-27';
  const tasks = createInMemoryTasks(['Call the bank', ...others].map((title) => ({ title, due_at })));
  const [bank] = tasks.all;
  const services = {
    tasks: tasks.service,
    now: () => new Date(),
    recentDocuments: async () => [],
    conversation: { person, agent, ...(taskIdsOf && { taskIds: taskIdsOf(tasks.all) }) },
  };
  const llm = scriptedLlm([{ calls: [{ name: 'delete_task', args: { task_id: bank!.id } }] }, { text: 'Done.' }]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  await drain({ ...input, profile, services, decide: async () => ({ effect: 'allow' }) });
  return !tasks.all.includes(bank!);
}

it.each([
  ['delete the bank call', '', true],
  ['delete everything that is done', '', true],
  ['lösche alle', '', true],
  ['yes, do it', 'Shall I delete “Call the bank”?', true],
  ['what is due this week?', '', false],
  ['add a task: read the contract', 'Noted.', false],
  ['show me all my tasks', '', false],
  ['Which tasks do I have for all projects?', '', false],
  ['zeig mir alle Aufgaben', '', false],
  ['Quelles sont toutes mes tâches ?', '', false],
  ['list everything and delete all that is done', '', true],
  ['can you remove all of them?', '', true],
  ['Thanks!', 'You have one task: “Call the bank”, due on Friday.', false],
  ['no, thanks', '- Call the bank, due on Friday\n\nAnything else?', false],
  ['the first', 'Which one do you mean?\n- Call the bank\n- Read the contract', true],
  ['no', 'Shall I delete “Call the bank”?', false],
  ['Nein, danke.', 'Shall I delete “Call the bank”?', false],
  ['What is due today?', 'Shall I delete “Call the bank”?', false],
  ['Do not delete the bank call', '', false],
  ['What does the task Call the bank say?', '', false],
  ['do not delete everything', '', false],
  ['I do not need to call the bank any more, delete it', '', true],
  ['Where is the bank call? Delete it.', '', true],
  ['yes', '“Call the bank” is due on Friday. Shall I delete “Call the bank”?', true],
  ['👍', 'Shall I delete “Call the bank”?', true],
  ['✅', 'Shall I delete “Call the bank”?', true],
  ['why not?', 'Shall I delete “Call the bank”?', true],
  ['Yes, cancel it', 'Shall I delete “Call the bank”?', true],
  ['Can we delete the bank call?', '', true],
  ['When you are at it, delete the bank call', '', true],
  ['If it is overdue, delete the bank call', '', true],
  ['Mark bank call as not done', '', true],
  ['Postpone the bank call until I have the contract', '', true],
  ['don’t let me forget the bank call: move it to Friday', '', true],
  ['The bank call is no longer needed', '', true],
  ['Not the contract, the bank call', '', true],
  ['Anna told me to call the bank, mark it done', '', true],
  ['I will call the bank on Friday, so move the bank call', '', true],
  ['The bank call? Cancel it.', '', true],
  ['Ich brauche „Call the bank“ nicht mehr', '', true],
  ['👎', 'Shall I delete “Call the bank”?', false],
  ['Stop, leave it', 'Shall I delete “Call the bank”?', false],
  ['Do not delete it', 'Shall I delete “Call the bank”?', false],
  ['That would be wrong.', 'Shall I delete “Call the bank”?', false],
  ['That would be a mistake', 'Shall I delete “Call the bank”?', false],
  ['Das wäre schade', 'Shall I delete “Call the bank”?', false],
  ['Bad idea', 'Shall I delete “Call the bank”?', false],
  ['That would not be good', 'Shall I delete “Call the bank”?', false],
  ['That would be great', 'Shall I delete “Call the bank”?', true],
  ['Das wäre nett', 'Shall I delete “Call the bank”?', true],
  ['That would work', 'Shall I delete “Call the bank”?', true],
  ['That would be awesome', 'Shall I delete “Call the bank”?', true],
  ['Das wäre sinnvoll', 'Shall I delete “Call the bank”?', true],
  ['That would not help', 'Shall I delete “Call the bank”?', false],
  ['Yes, it was a mistake', 'Shall I delete “Call the bank”?', true],
  ['Wrong entry, delete it', 'Shall I delete “Call the bank”?', true],
  ['It would be wrong to delete it', 'Shall I delete “Call the bank”?', false],
  ['I would delete it', 'Shall I delete “Call the bank”?', true],
  ['Wrong one', 'Shall I delete “Call the bank”?', false],
  ['cancel it', 'Shall I delete “Call the bank”?', false],
  ['No, forget it', 'Shall I delete “Call the bank”?', false],
  ['Not the bank call, the contract', '', false],
  ['Delete everything but the bank call', '', false],
  ['Delete the bank call. No, wait.', '', false],
  ['Did you delete the bank call?', '', false],
  ['I do not want to delete the bank call', '', false],
  ['Is the bank call done?', '', false],
  ['Should I delete the bank call?', '', false],
  ['Tell me about the bank call', '', false],
  ['Was steht bei „Call the bank“?', '', false],
])('deletes a task only if the user named it: %s / %s', async (person, agent, expected) => {
  expect(await deletedAfter(person, agent)).toBe(expected);
});

it.each([
  'delete it',
  'Delete it, please.',
  'lösche es',
  'Lösch die!',
  'supprime-la',
  'bórrala',
  'Cancel it',
  'forget it',
])('deletes the one task that the conversation is about, or that the user has: %s', async (person) => {
  const bankOnly = (all: readonly Task[]) => [all[0]!.id];
  expect(await deletedAfter(person, 'Noted.', bankOnly, ['Read the contract'])).toBe(true);
  expect(await deletedAfter(person, 'Noted.')).toBe(true);
  expect(await deletedAfter(`Do not ${person}`, 'Noted.')).toBe(false);
  expect(await deletedAfter(person, 'Noted.', undefined, ['Read the contract'])).toBe(false);
  const both = (all: readonly Task[]) => all.map(({ id }) => id);
  expect(await deletedAfter(person, 'Noted.', both, ['Read the contract'])).toBe(false);
  const done = 'I have marked “Call the bank” as done.';
  expect(await deletedAfter(person, done, both, ['Read the contract'])).toBe(true);
  expect(await deletedAfter(person, '- Call the bank\n- Read the contract', both, ['Read the contract'])).toBe(false);
  const other = (all: readonly Task[]) => [all[1]!.id];
  expect(await deletedAfter(person, 'Noted.', other, ['Read the contract'])).toBe(false);
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
