import type { Proposal } from '@docwright/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { extractionsQuery } from '../../shared/api/extractions-api.ts';
import { proposalQuery } from '../../shared/proposals/proposals-api.ts';
import { refreshAfterDecision } from './use-kind-decisions.ts';

const queryClient = new QueryClient();
afterEach(() => queryClient.clear());

/** Shows a kind of two documents as a card does; the answer counts how often it is loaded. */
async function showKind() {
  const loads = { count: 0 };
  const observer = new QueryObserver(queryClient, {
    ...proposalQuery('org', 'kind'),
    queryFn: () => {
      loads.count += 1;
      return { id: 'kind', document_count: 2 } as Proposal;
    },
  });
  observer.subscribe(() => undefined);
  await queryClient.refetchQueries();
  loads.count = 0;
  return loads;
}

it('does not load a kind again when all its documents are decided', async () => {
  const loads = await showKind();
  await refreshAfterDecision(queryClient, 'org', { id: 'kind', document_ids: ['one', 'two'] });
  expect(loads.count).toBe(0);
  expect(queryClient.getQueryState(proposalQuery('org', 'kind').queryKey)?.isInvalidated).toBe(true);
});

it('loads a kind again when it has undecided documents, and after an undo', async () => {
  const loads = await showKind();
  await refreshAfterDecision(queryClient, 'org', { id: 'kind', document_ids: ['one'] });
  expect(loads.count).toBe(1);
  await refreshAfterDecision(queryClient, 'org');
  expect(loads.count).toBe(2);
});

it.each(['schemas', 'prompts', 'extraction-review'])(
  'does not load %s of an extraction that the decision has removed',
  async (key) => {
    const list = { extractions: [{}], total_count: 1 };
    const { queryKey } = extractionsQuery('org', 'document');
    const all: readonly unknown[] = queryKey;
    queryClient.setQueryData(all, list);
    let loads = 0;
    const detail = new QueryObserver(queryClient, {
      queryKey: [key, 'org', 'one'],
      queryFn: () => (loads += 1),
      initialData: 0,
      staleTime: Infinity,
    });
    const hide = detail.subscribe(() => undefined);
    const extractions = new QueryObserver<unknown>(queryClient, {
      queryKey: all,
      queryFn: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { extractions: [], total_count: 0 };
      },
      staleTime: Infinity,
    });
    extractions.subscribe(({ data }) => data !== list && hide());
    await refreshAfterDecision(queryClient, 'org', { id: 'kind', document_ids: ['document'] });
    expect(loads).toBe(0);
  },
);
