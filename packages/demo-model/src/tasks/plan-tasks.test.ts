import { describe, expect, it } from 'vitest';
import { playTurn } from '../testing/scripted-turn.ts';
import { dueIn } from './due-date.ts';

const offered = ['add_task', 'list_tasks', 'complete_task', 'update_task', 'delete_task'];
/** A Saturday. */
const today = '2026-11-21';
const documentId = 'a'.repeat(24);
const page = `</page>\n</document>\n\nToday is Saturday, ${today} (UTC).\n\nThe newest documents:\n- "contract-7.pdf" (document_id ${documentId})\n\n<document name="none" pages="0"><page number="1">`;

const list = [
  { id: 'id-march', title: 'check the March invoice', is_completed: false, due_at: '2026-11-27T12:00:00.000Z' },
  { id: 'id-april', title: 'check the April invoice', is_completed: false },
  { id: 'id-bank', title: 'call the bank', is_completed: false, due_at: '2026-11-22T12:00:00.000Z' },
  { id: 'id-rent', title: 'pay rent', is_completed: true },
];

/** Plays requests as one conversation: each request sees the earlier ones with their answers. */
function talk(...requests: string[]) {
  const history: Record<string, unknown>[] = [];
  return requests.map((request) => {
    const played = playTurn({
      request,
      page,
      offered,
      history,
      tools: {
        list_tasks: ({ status = 'all' }) => ({
          tasks: list.filter(({ is_completed }) => status === 'all' || is_completed === (status === 'done')),
        }),
        add_task: (args) => ({ id: 'new', is_completed: false, ...args }),
        complete_task: ({ task_id }) => list.find(({ id }) => id === task_id) ?? { error: 'There is no such task' },
        update_task: ({ task_id, ...change }) => ({ ...list.find(({ id }) => id === task_id), ...change }),
        delete_task: ({ task_id }) => ({ ...list.find(({ id }) => id === task_id), deleted: true }),
      },
    });
    history.push({ role: 'user', content: request }, { role: 'assistant', content: played.text });
    return { ...played, changes: played.calls.filter(({ name }) => name !== 'list_tasks') };
  });
}
const playOne = (request: string) => talk(request)[0]!;
const call = (name: string, args: object) => ({ name, arguments: args });

describe('adding tasks', () => {
  it.each([
    ['Add task to buy milk', [{ title: 'buy milk' }]],
    [
      'Please add a task to check the March invoice by Friday.',
      [{ title: 'check the March invoice', due_at: '2026-11-27' }],
    ],
    ['remind me to call ACME tomorrow', [{ title: 'call ACME', due_at: '2026-11-22' }]],
    ['I need to renew the lease in two weeks', [{ title: 'renew the lease', due_at: '2026-12-05' }]],
    ['add "sign and send the offer" to my list', [{ title: 'sign and send the offer' }]],
    ['Pay the invoice on 3 December', [{ title: 'Pay the invoice', due_at: '2026-12-03' }]],
    ['Add buy milk and call Bob tomorrow', [{ title: 'buy milk' }, { title: 'call Bob', due_at: '2026-11-22' }]],
    [
      'add tasks: scan receipts, call the bank by 2026-12-01 and tidy up',
      [{ title: 'scan receipts' }, { title: 'call the bank', due_at: '2026-12-01' }, { title: 'tidy up' }],
    ],
    [
      'Create a task "Review contract" due 2026-12-01 with description clause 7',
      [{ title: 'Review contract', description: 'clause 7', due_at: '2026-12-01' }],
    ],
    [
      'Remind me to pay the bill on Monday and to call mom tomorrow',
      [
        { title: 'pay the bill', due_at: '2026-11-23' },
        { title: 'call mom', due_at: '2026-11-22' },
      ],
    ],
    ['add a task to read contract-7', [{ title: 'read contract-7', document_id: documentId }]],
  ])('%s', (request, wanted) => {
    expect(playOne(request).calls).toEqual(wanted.map((args) => call('add_task', args)));
  });

  it('confirms a new task with its due date', () => {
    expect(playOne('remind me to call ACME tomorrow').text).toBe('I have added “call ACME”, due Sun, 22 Nov 2026.');
  });
});

describe('changing tasks', () => {
  it.each([
    ['mark the March invoice as done', [call('complete_task', { task_id: 'id-march' })]],
    ["I've finished the call to the bank", [call('complete_task', { task_id: 'id-bank' })]],
    [
      'complete all open tasks',
      ['id-march', 'id-april', 'id-bank'].map((task_id) => call('complete_task', { task_id })),
    ],
    ['reopen pay rent', [call('update_task', { task_id: 'id-rent', is_completed: false })]],
    ['delete everything that is done', [call('delete_task', { task_id: 'id-rent' })]],
    [
      'mark the March invoice and the April invoice as done',
      [call('complete_task', { task_id: 'id-march' }), call('complete_task', { task_id: 'id-april' })],
    ],
    ['complete pay rent', []],
    ['delete the rent task', [call('delete_task', { task_id: 'id-rent' })]],
    ['move the bank call to Monday', [call('update_task', { task_id: 'id-bank', due_at: '2026-11-23' })]],
    ['remove the due date of call the bank', [call('update_task', { task_id: 'id-bank', due_at: null })]],
    [
      'rename “call the bank” to “visit the bank”',
      [call('update_task', { task_id: 'id-bank', title: 'visit the bank' })],
    ],
    [
      'Add scan receipts by Friday, complete the bank call and delete pay rent',
      [
        call('add_task', { title: 'scan receipts', due_at: '2026-11-27' }),
        call('complete_task', { task_id: 'id-bank' }),
        call('delete_task', { task_id: 'id-rent' }),
      ],
    ],
    [
      'remind me to check the May invoice by Friday, and the bank call is done',
      [
        call('add_task', { title: 'check the May invoice', due_at: '2026-11-27' }),
        call('complete_task', { task_id: 'id-bank' }),
      ],
    ],
  ])('%s', (request, wanted) => {
    expect(playOne(request).changes).toEqual(wanted);
  });
});

describe('unclear references', () => {
  it('asks which task is meant, and makes the change after the answer', () => {
    const [asked, answered] = talk('complete the invoice', 'the second one');
    expect(asked!.changes).toEqual([]);
    expect(asked!.text).toMatch(
      /^Which one shall I mark as done\?\n1\. \*\*check the March invoice\*\*.*\n2\. \*\*check the April/u,
    );
    expect(answered!.changes).toEqual([call('complete_task', { task_id: 'id-april' })]);
    const [, moved] = talk('move the invoice to Monday', 'March');
    expect(moved!.changes).toEqual([call('update_task', { task_id: 'id-march', due_at: '2026-11-23' })]);
    expect(playOne('delete it').text).toContain('Which one shall I delete?');
  });

  it('takes `it` and numbers from the previous answer', () => {
    const [, renamed] = talk('when is the bank call due?', 'mark it as done');
    expect(renamed!.changes).toEqual([call('complete_task', { task_id: 'id-bank' })]);
    const [, numbered] = talk('list my tasks', 'delete number 4');
    expect(numbered!.changes).toEqual([call('delete_task', { task_id: 'id-rent' })]);
  });

  it('says in plain words that a task does not exist, and offers the list', () => {
    const [refused, shown] = talk('delete the dentist', 'yes please');
    const { changes, text } = refused!;
    expect(shown!.text).toContain('You have 4 tasks:');
    expect([changes, text]).toEqual([
      [],
      'There is no task “the dentist” on your list. Shall I show you what is there?',
    ]);
  });
});

describe('questions', () => {
  it('lists the requested tasks with numbers and dates', () => {
    expect(playOne('What tasks do I have?').text.split('\n')).toHaveLength(5);
    expect(playOne('what is due tomorrow?').text).toBe(
      'You have 1 open task due:\n1. **call the bank** – due Sun, 22 Nov 2026',
    );
    expect(playOne('show my open tasks').calls).toEqual([call('list_tasks', { status: 'open', limit: 100 })]);
    expect(playOne('what is overdue?').text).toBe('Nothing is due then.');
  });

  it('makes no call for a greeting or a message that no rule matches', () => {
    for (const greeting of ['Hello!', 'What can you do?', 'thanks', 'gibberish of all kinds'])
      expect(playOne(greeting).calls).toEqual([]);
  });
});

it.each([
  ['by Friday', '2026-11-27'],
  ['on Saturday', '2026-11-28'],
  ['next Monday', '2026-11-23'],
  ['next week', '2026-11-28'],
  ['by the end of the month', '2026-11-30'],
  ['in 3 days', '2026-11-24'],
  ['the day after tomorrow', '2026-11-23'],
  ['until 5 March', '2027-03-05'],
  ['due Nov 30th', '2026-11-30'],
  ['by 31.12.2026', '2026-12-31'],
  ['today', today],
])('"%s" counts from today', (text, date) => {
  expect(dueIn(`x ${text}`, today)).toEqual({ date, rest: 'x' });
});
