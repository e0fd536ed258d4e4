import type { SchemaChatAnswer, SchemaExecuteAnswer } from '@docwright/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Designer } from './designer.tsx';
import { answer, call, column, executed } from './testing/schema-answers.ts';
import { renderPage } from '../../shared/testing/render-page.tsx';

interface Sent {
  mode: string;
  messages: { role: string; content: unknown; tool_call_id?: string }[];
  toolDecisions: { id: string; approved: boolean }[];
  currentColumns: { name: string }[];
}

const total = column('c1', 'Total', { type: 'currency' });
const date = column('c2', 'Date', { type: 'date', description: 'Of issue' });

let sent: Sent[];
let answers: (SchemaChatAnswer | SchemaExecuteAnswer)[];

const openDesigner = () => renderPage({ '/': <Designer stored={undefined} /> });

const rowOf = (name: string) => screen.getByRole('row', { name });
const sendMessage = async (text: string) => {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Message to the agent'), `${text}{Enter}`);
  return user;
};

beforeEach(() => {
  sent = [];
  answers = [];
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('1024'),
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal(
    'fetch',
    async (path: string, { body, headers }: { body?: string; headers?: Record<string, string> } = {}) => {
      if (path !== '/api/schema-chat') return Response.json({ models: [], total_count: 0 });
      expect(headers?.['x-org-id']).toBe('org');
      sent.push(JSON.parse(body ?? '{}') as Sent);
      const next = answers.shift();
      return next === undefined
        ? Response.json({ error: { message: 'No answer left.' } }, { status: 502 })
        : Response.json(next);
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

describe('the schema designer', () => {
  it('shows proposals in the table, applies approved ones, and continues once all are decided', async () => {
    answers = [
      answer('Two columns.', [
        call('a', 'add_column', { name: 'Date', type: 'date', description: 'Of issue' }),
        call('b', 'add_column', { name: 'Total', type: 'currency' }),
      ]),
      executed([date], { a: undefined }),
      executed([date], { b: undefined }),
      answer('Done.'),
    ];
    openDesigner();
    const user = await sendMessage('Dates and totals');
    expect(within(await screen.findByRole('row', { name: 'Add “Date”' })).getByText('Of issue')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(rowOf('Add “Date”')));
    await user.keyboard('y');
    expect(await screen.findByLabelText('Name of Date')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(rowOf('Add “Total”')));
    await user.keyboard('n');
    expect(await screen.findByText('Done.')).toBeTruthy();
    expect(sent.map(({ mode }) => mode)).toEqual(['chat', 'execute', 'execute', 'chat']);
    expect(sent[1]?.toolDecisions).toMatchObject([{ id: 'a', approved: true }]);
    expect(sent[2]?.toolDecisions).toMatchObject([{ id: 'b', approved: false }]);
    expect(sent[3]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(sent[3]?.currentColumns.map(({ name }) => name)).toEqual(['Date']);
  });

  it('shows the old and new value of a change, and below the row why it failed', async () => {
    answers = [
      answer('', [call('a', 'add_column', { name: 'Total', type: 'currency' })]),
      executed([total], { a: undefined }),
      answer('', [call('b', 'edit_column', { columnId: 'c1', updates: { type: 'number' } })]),
      executed([total], { b: 'Someone else was faster.' }),
      answer('Then not.'),
    ];
    openDesigner();
    const user = await sendMessage('Totals');
    await user.click(await screen.findByRole('button', { name: 'Approve: Add “Total”' }));
    const row = await screen.findByRole('row', { name: 'Change “Total”: type' });
    expect(row.querySelector('del')?.textContent).toBe('Currency');
    expect(row.querySelector('ins')?.textContent).toBe('Number');
    await user.click(within(row).getByRole('button', { name: /^Approve/ }));
    const failure = await within(screen.getByRole('table', { name: 'Columns' })).findByText('Someone else was faster.');
    expect(failure.closest('tr')?.previousElementSibling).toBe(rowOf('Total'));
  });

  it('sends answers and skipped image requests as results of their calls', async () => {
    const question = {
      tool_call_id: 'a',
      id: 'q1',
      header: 'Currency',
      questionText: 'Which one?',
      options: [
        { id: 'eur', label: 'Euro' },
        { id: 'usd', label: 'Dollar' },
      ],
      multiSelect: false,
      allowOther: false,
    };
    answers = [
      answer('', [call('a', 'ask_questions', {}), call('b', 'request_example_image', { message: 'Show me one.' })], {
        pendingTools: [],
        questions: [question],
        imageRequests: [{ id: 'b', tool_call_id: 'b', message: 'Show me one.' }],
      }),
      answer('Thank you.'),
    ];
    openDesigner();
    const user = await sendMessage('Totals');
    await user.click(await screen.findByLabelText('Euro'));
    await user.click(screen.getByRole('button', { name: 'Answer' }));
    expect(sent).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Skip' }));
    await screen.findByText('Thank you.');
    const [, , answered, skipped] = sent[1]?.messages ?? [];
    expect(JSON.parse(String(answered?.content))).toEqual({ answers: [{ question_id: 'q1', option_ids: ['eur'] }] });
    expect([answered?.tool_call_id, skipped?.tool_call_id]).toEqual(['a', 'b']);
  });

  it('restores columns and conversation after a reload', async () => {
    answers = [answer('Here.', [call('a', 'add_column', { name: 'Total', type: 'currency' })])];
    openDesigner();
    const user = await sendMessage('Totals');
    await screen.findByRole('row', { name: 'Add “Total”' });
    await user.click(screen.getByRole('button', { name: 'Add a column' }));
    await user.type(screen.getByLabelText('Name of new column'), 'Site');
    cleanup();
    openDesigner();
    expect(await screen.findByLabelText('Name of Site')).toBeTruthy();
    expect(rowOf('Add “Total”')).toBeTruthy();
    expect(screen.getByText('Here.')).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it('offers to try again when the model fails', async () => {
    openDesigner();
    const user = await sendMessage('Totals');
    await screen.findByText('No answer left.');
    answers = [answer('Now.')];
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Now.')).toBeTruthy();
    expect(sent[1]?.messages).toEqual(sent[0]?.messages);
  });
});
