import type { BulkEstimate, Me } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import type { ReactElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SessionProvider } from '../../../shared/session/session.tsx';
import { ExtractDialog, PrepareDialog } from './extract-dialog.tsx';

const me = {
  user: { id: 'u', name: 'Ada', email: 'ada@example.com', has_password: true },
  organizations: [{ id: 'org', name: 'Org', role: 'admin' }],
} as unknown as Me;
const of = (prompt_id: string, name: string, documents: number, spu_estimated: number) => ({
  prompt_id,
  prompt_revid: `${prompt_id}1`,
  name,
  documents,
  requests: documents,
  spu_estimated,
  sampled: documents,
});
const none: BulkEstimate = {
  documents: 3,
  by_prompt: [],
  without_prompt: 3,
  only_pending_proposal: 0,
  without_text: 0,
  duplicates: 0,
};

let asked: unknown[];
let prompts: { prompt_id: string; name: string }[];
let estimateOf: (body: { prompt_id?: string }) => BulkEstimate;
beforeEach(() => {
  asked = [];
  prompts = [
    { prompt_id: 'p', name: 'Invoices' },
    { prompt_id: 'q', name: 'Letters' },
  ];
  vi.stubGlobal('fetch', async (path: string, { body = '{}' }: { body?: string } = {}) => {
    if (!path.endsWith('/bulk/estimate')) {
      return Response.json({ prompts, total_count: prompts.length });
    }
    asked.push(JSON.parse(body));
    return Response.json(estimateOf(JSON.parse(body)));
  });
});

function show(dialog?: ReactElement) {
  const onExtract = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Tooltip.Provider>
        <SessionProvider me={me}>
          {dialog ?? (
            <ExtractDialog
              which={{ document_ids: ['a', 'b', 'c'] }}
              count={3}
              onClose={() => {}}
              onExtract={onExtract}
            />
          )}
        </SessionProvider>
      </Tooltip.Provider>
    </QueryClientProvider>,
  );
  return { onExtract, user: userEvent.setup() };
}

it('says what each prompt costs and which documents are left out, before anything runs', async () => {
  estimateOf = () => ({
    documents: 9,
    by_prompt: [of('p', 'Invoices', 2, 4), of('q', 'Letters', 1, 3)],
    without_prompt: 3,
    only_pending_proposal: 1,
    without_text: 1,
    duplicates: 1,
  });
  prompts = prompts.map((prompt) => ({ ...prompt, ...(prompt.prompt_id === 'q' && { newest_schema_version: 2 }) }));
  const { onExtract, user } = show();
  expect(await screen.findByText('2 documents with “Invoices”: about 4 SPU')).toBeTruthy();
  expect(await screen.findByText('“Letters” does not find what version 2 of its schema has added')).toBeTruthy();
  expect(screen.getByText('Together about 7 SPU')).toBeTruthy();
  expect(screen.getByText(/^3 documents without a prompt/)).toBeTruthy();
  expect(screen.getByText(/^1 document with a proposal that waits for you/)).toBeTruthy();
  expect(screen.getByText(/^1 document that could not be read/)).toBeTruthy();
  expect(screen.getByText('1 duplicate: not extracted')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Extract 3 documents' }));
  expect(onExtract).toHaveBeenCalledWith(undefined);
});

it('starts nothing while no document has a prompt, and asks for the price of the chosen one', async () => {
  estimateOf = ({ prompt_id }) =>
    prompt_id === undefined ? none : { ...none, by_prompt: [of('p', 'Invoices', 3, 6)], without_prompt: 0 };
  const { onExtract, user } = show();
  await screen.findByText(/^3 documents without a prompt/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Extract' }).disabled).toBe(true);
  await user.selectOptions(screen.getByLabelText('Prompt'), 'Invoices');
  await user.click(await screen.findByRole('button', { name: 'Extract 3 documents' }));
  expect(onExtract).toHaveBeenCalledWith('p');
  expect(asked).toEqual([{ document_ids: ['a', 'b', 'c'] }, { document_ids: ['a', 'b', 'c'], prompt_id: 'p' }]);
});

it('takes the only prompt if no document has one of its own', async () => {
  prompts = prompts.slice(0, 1);
  estimateOf = ({ prompt_id }) =>
    prompt_id === undefined ? none : { ...none, by_prompt: [of('p', 'Invoices', 3, 6)], without_prompt: 0 };
  const { onExtract, user } = show();
  await user.click(await screen.findByRole('button', { name: 'Extract 3 documents' }));
  expect(onExtract).toHaveBeenCalledWith('p');
});

it.each([
  [12, '2 documents: about 12 SPU, as the last 5 documents took'],
  [null, '2 documents: several requests to the model for each; how much they take is known after the first one'],
])('says what the agent’s preparation costs before it starts: %s', async (spu_estimated, line) => {
  const prepared = { documents: 2, spu_estimated, sampled: spu_estimated === null ? 0 : 5 };
  estimateOf = () => ({ ...none, documents: 4, prepared, without_prompt: 0, only_pending_proposal: 1, duplicates: 1 });
  const onPrepare = vi.fn();
  const which = { document_ids: ['a', 'b', 'c', 'd'] };
  const { user } = show(<PrepareDialog which={which} count={4} onClose={() => {}} onPrepare={onPrepare} />);
  expect(await screen.findByText(line)).toBeTruthy();
  expect(screen.getByText('1 document with a proposal that waits for you: not prepared again')).toBeTruthy();
  expect(asked).toEqual([{ ...which, action: 'auto_create' }]);
  await user.click(screen.getByRole('button', { name: 'Prepare 2 documents' }));
  expect(onPrepare).toHaveBeenCalledOnce();
});
