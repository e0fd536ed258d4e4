import type { Column } from '@docwright/contract';
import { expect, it } from 'vitest';
import { answersResult } from './call-answer.ts';
import { checkColumns } from './column-check.ts';
import { conversationEntries, userMessage } from './conversation-entries.ts';
import { scaledSize, withNewestImages } from './example-image.ts';
import { proposalOf, tableRows } from './proposals.ts';
import { call, column } from '../testing/schema-answers.ts';

const columns = [column('c1', 'Total'), column('c2', 'Date')];

it('places each proposal at its column, and new columns at the end', () => {
  const rows = tableRows(columns, [
    call('a', 'add_column', { name: 'Supplier' }),
    call('b', 'edit_column', { columnId: 'c2', updates: { type: 'date' } }),
    call('c', 'edit_column', { columnId: 'c2', updates: { name: 'Day' } }),
    call('d', 'remove_column', { columnId: 'missing' }),
    call('e', 'set_multi_row_mode', { enabled: true }),
  ]);
  expect(rows.map(({ column, call, proposal }) => [column?.id, call?.id, proposal?.kind])).toEqual([
    ['c1', undefined, undefined],
    ['c2', 'b', 'edit'],
    ['c2', 'c', 'edit'],
    [undefined, 'a', 'add'],
    [undefined, 'd', 'remove'],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

it('places proposals for a list in the table of the list only', () => {
  const tables = { items: [column('l1', 'SKU')] };
  const calls = [
    call('a', 'set_columns', {
      columns: [{ name: 'Unit', table: 'items' }, { name: 'Supplier' }],
      remove: ['l1', 'missing'],
    }),
    call('b', 'add_column', { name: 'Lost', table: 'no such list' }),
  ];
  const brief = (rows: ReturnType<typeof tableRows>) =>
    rows.map(({ column, call, proposal }) => [column?.id, call?.id, proposal?.kind]);
  expect(brief(tableRows(tables.items, calls, { table: 'items', tables }))).toEqual([
    ['l1', 'a', 'remove'],
    [undefined, 'a', 'add'],
  ]);
  expect(brief(tableRows(columns, calls, { tables })).slice(2)).toEqual([
    [undefined, 'a', 'add'],
    [undefined, 'a', 'remove'],
    [undefined, 'b', 'add'],
  ]);
});

it('cannot read a call without its required arguments', () => {
  expect(proposalOf({ id: 'x', function: { name: 'add_column', arguments: '{"name":' } }).kind).toBe('unreadable');
  expect(proposalOf(call('x', 'edit_column', { columnId: 'c1' })).kind).toBe('unreadable');
});

it('reports empty and duplicate names, and texts that the server has rejected', () => {
  const edited = [...columns, column('c3', ' total '), column('c4', ' '), column('c5', 'Code', { regex: '(?=a)' })];
  expect([
    ...checkColumns(edited, { 'regex text (?=a)': 'It looks ahead.', 'regex text other': 'Not this one.' }),
  ]).toEqual([
    ['c3', { name: 'Another column has this name.' }],
    ['c4', { name: 'Enter a name.' }],
    ['c5', { regex: 'It looks ahead.' }],
  ]);
});

it('parses a message with documents and images', () => {
  const documents = [{ id: '0123456789abcdef01234567', name: 'May “final” (2).pdf' }];
  const [entry] = conversationEntries([userMessage('What is in it?', documents, ['data:image/png;base64,AA'])]);
  expect(entry).toEqual({ kind: 'user', text: 'What is in it?', documents, images: ['data:image/png;base64,AA'] });
});

it('shows the outcome of each call', () => {
  const calls = ['a', 'b', 'c', 'd'].map((id) => ({
    ...call(id, 'add_column', { name: id }),
    type: 'function' as const,
  }));
  const [entry] = conversationEntries([
    { role: 'assistant', content: '', tool_calls: calls },
    { role: 'tool', tool_call_id: 'a', content: '{"success":true}' },
    { role: 'tool', tool_call_id: 'b', content: '{"error":"The name is taken."}' },
    { role: 'tool', tool_call_id: 'c', content: 'User rejected this action.' },
  ]);
  expect(entry?.kind === 'agent' && entry.calls.map(({ outcome }) => outcome)).toEqual([
    'done',
    'failed',
    'declined',
    'waiting',
  ]);
});

it('keeps the newest images only', () => {
  const messages = ['a', 'b', 'c'].map((url) => userMessage(url, [], [url]));
  const urls = conversationEntries(withNewestImages(messages, 2)).map((entry) => entry.kind === 'user' && entry.images);
  expect(urls).toEqual([[], ['b'], ['c']]);
});

it('scales down large images and keeps small ones', () => {
  expect(scaledSize(4000, 3000)).toEqual({ width: 1600, height: 1200 });
  expect(scaledSize(300, 200)).toEqual({ width: 300, height: 200 });
});

it('shows the answers to questions', () => {
  const asking = call('q', 'ask_questions', {
    questions: [
      {
        id: 'q1',
        header: 'Lines',
        options: [
          { id: 'a', label: 'Each' },
          { id: 'b', label: 'None' },
        ],
      },
    ],
  });
  const [entry] = conversationEntries([
    { role: 'assistant', content: '', tool_calls: [{ ...asking, type: 'function' }] },
    answersResult('q', [{ question_id: 'q1', option_ids: ['b'], other: 'only the sum' }]),
  ]);
  expect(entry?.kind === 'agent' && entry.calls[0]?.answers).toEqual(['Lines: None, only the sum']);
});

it('places each column of a call that changes several', () => {
  const columns: Column[] = [{ id: 'a', name: 'A', type: 'text', description: '', allowedValues: '', regex: '' }];
  const args = {
    columns: [
      { name: 'B', type: 'date' },
      { columnId: 'a', description: 'first' },
    ],
    remove: ['a'],
  };
  const call = { id: 'c1', function: { name: 'set_columns', arguments: JSON.stringify(args) } };
  const rows = tableRows(columns, [call]);
  expect(rows.map(({ column, proposal }) => [column?.id, proposal?.kind])).toEqual([
    ['a', 'edit'],
    ['a', 'remove'],
    [undefined, 'add'],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  expect(new Set(rows.map((row) => row.call?.id))).toEqual(new Set(['c1']));
});
