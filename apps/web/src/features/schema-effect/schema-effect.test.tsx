import type { Prompt, ResponseFormat, Schema, SchemaUse } from '@docwright/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { OldSchemaNotice } from './old-schema-notice.tsx';
import { useSchemaSave } from './use-schema-save.tsx';
import { renderPage } from '../../shared/testing/render-page.tsx';

const formatOf = (...names: string[]): ResponseFormat => ({
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: true,
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  },
});
const [before, after] = [formatOf('total'), formatOf('total', 'due')];
const user = (prompt_id: string, name: string, documents = 0, documents_verified = 0) => ({
  prompt_id,
  prompt_revid: `${prompt_id}-1`,
  name,
  schema_version: 1,
  documents,
  documents_on_old_version: 0,
  documents_verified,
});
const saved = { schema_id: 's', schema_version: 2, name: 'Invoice' } as Schema;

let use: SchemaUse;
let sent: { path: string; body: unknown }[];
let refused: string[];

beforeEach(() => {
  use = { schema_id: 's', schema_version: 1, total_count: 2, prompts: [user('a', 'Bills', 12, 3), user('b', 'Dues')] };
  sent = [];
  refused = [];
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string } = {}) => {
    const own = path.replace('/v0/orgs/org/', '');
    if (body !== undefined) sent.push({ path: own, body: JSON.parse(body) });
    if (refused.includes(own)) return Response.json({ error: { message: 'It is gone.' } }, { status: 404 });
    if (own === 'schemas/s/use') return Response.json(use);
    if (own === 'evaluations/estimate') return Response.json({ documents: 3, spu_estimated: 6 });
    if (own.startsWith('schemas/s/versions'))
      return Response.json({ schemas: [{ ...saved, response_format: after }], total_count: 2 });
    if (own === 'schemas/s-1') return Response.json({ ...saved, schema_version: 1, response_format: before });
    if (own === 'evaluations' || own === 'evaluations/e') return Response.json(measured);
    if (own.startsWith('evaluations/e/differences')) return Response.json({ differences: [], total_count: 0 });
    return Response.json({});
  });
});

const measured = {
  id: 'e',
  state: 'completed',
  ended_at: '2026-11-27T00:00:00.000Z',
  documents: { total: 3, done: 3, failed: 0 },
  totals: { values: 9, fixed: 2, broken: 1, accuracy_before: 0.7, accuracy_after: 0.8 },
  fields: [],
  failures: [],
};

const show = (element: ReactNode) => renderPage({ '/': element, '/schemas/$schemaId': null });

const save = vi.fn(async () => saved);

function Editor({ changed = true }: { changed?: boolean }) {
  const saving = useSchemaSave<string>({
    former: { schema_id: 's', name: 'Invoice' },
    preview: async () => (changed ? { before, after, version: 2 } : undefined),
    save,
    onDone: async () => {},
  });
  return (
    <>
      <button onClick={() => saving.start('body')}>Save</button>
      {saving.isSuccess && <p>Done</p>}
      {saving.dialog}
    </>
  );
}

async function openDialog() {
  save.mockClear();
  const person = userEvent.setup();
  show(<Editor />);
  await person.click(await screen.findByRole('button', { name: 'Save' }));
  return { person, dialog: within(await screen.findByRole('dialog')) };
}

it('shows fields, prompts and documents before a schema is saved, and moves the chosen prompts', async () => {
  const { person, dialog } = await openDialog();
  expect(save).not.toHaveBeenCalled();
  expect(dialog.getByText('due')).toBeTruthy();
  expect(dialog.getByText('on version 1 · 12 documents · 3 verified')).toBeTruthy();
  expect(dialog.getByText(/12 documents keep their results/)).toBeTruthy();
  await person.click(dialog.getByRole('checkbox', { name: /^Dues/ }));
  await person.click(dialog.getByRole('button', { name: 'Save and move 1 prompt' }));
  await screen.findByText('Done');
  expect(save).toHaveBeenCalledOnce();
  expect(sent.filter(({ path }) => path.startsWith('prompts/'))).toEqual([
    { path: 'prompts/a', body: { schema_id: 's', schema_version: 2 } },
  ]);
});

it('returns the focus to the button that opened it', async () => {
  const { person } = await openDialog();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' })));
  expect(save).not.toHaveBeenCalled();
});

it('measures the change on verified documents before it is saved', async () => {
  const { person, dialog } = await openDialog();
  expect(dialog.getByText(/no document of this prompt is verified/)).toBeTruthy();
  await person.click(await dialog.findByRole('button', { name: 'Measure on 3 verified documents, about 6 SPU' }));
  expect(await dialog.findByText(/3 documents: 2 fixed, 1 broken/)).toBeTruthy();
  expect(sent.at(-1)).toEqual({ path: 'evaluations', body: { prompt_id: 'a', response_format: after } });
  expect(save).not.toHaveBeenCalled();
});

it('names a prompt that could not be moved, and saves the schema all the same', async () => {
  refused = ['prompts/a'];
  const { person, dialog } = await openDialog();
  await person.click(dialog.getByRole('button', { name: 'Save and move 2 prompts' }));
  await screen.findByText('Done');
  expect(await screen.findByText(/A prompt stays on its version: It is gone/)).toBeTruthy();
  expect(sent.some(({ path }) => path === 'prompts/b')).toBe(true);
});

it.each([
  ['nothing changes', false, 2],
  ['no prompt uses the schema', true, 0],
])('asks nothing if %s', async (_when, changed, prompts) => {
  use = { ...use, prompts: use.prompts.slice(0, prompts) };
  const person = userEvent.setup();
  show(<Editor changed={changed} />);
  await person.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByText('Done');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says on a prompt that its schema has a newer version, and moves it after a look', async () => {
  const prompt = { prompt_id: 'a', name: 'Bills', schema_id: 's', schema_revid: 's-1', schema_version: 1 } as Prompt;
  const person = userEvent.setup();
  show(<OldSchemaNotice prompt={{ ...prompt, newest_schema_version: 2 }} />);
  expect(await screen.findByText(/uses version 1 of/)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Move to version 2…' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('due')).toBeTruthy();
  expect(dialog.queryByText(/Dues/)).toBeNull();
  await person.click(dialog.getByRole('button', { name: 'Move the prompt' }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ path: 'prompts/a', body: { schema_id: 's', schema_version: 2 } }));
});
