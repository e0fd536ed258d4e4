import type { Usage } from '@docwright/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { usageKey } from '../../../shared/api/account/organization-api.ts';
import { TurnUsage } from './turn-usage.tsx';

it('never shows less for the conversation than for its last turn while its total is outdated', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const before = { thread_id: 't', prompt_tokens: 900, completion_tokens: 20, spu: 1 };
  client.setQueryData(usageKey('o'), { by_thread: [before] });
  const usage: Usage = { prompt_tokens: 3000, completion_tokens: 10, cached_tokens: 2500, spu: 4, estimated: false };
  render(
    <QueryClientProvider client={client}>
      <TurnUsage orgId="o" threadId="t" usage={usage} context={undefined} />
    </QueryClientProvider>,
  );
  expect(screen.getByTitle(/^Conversation: /).title).toMatch(
    /3,000 tokens in \(2,500 of them cached\), 20 out, 4 service/,
  );
});
