import type { ReviewOutcome, Tag } from '@docwright/contract';
import { afterEach, expect, expectTypeOf, it, vi } from 'vitest';
import type { DescribedOptions } from './described-request.ts';
import { requestJson } from './http.ts';

afterEach(() => void vi.unstubAllGlobals());

const path = (orgId: string) => `/v0/orgs/${orgId}/tags` as const;

it('sends the query, the body and the organization', async () => {
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
  vi.stubGlobal('fetch', fetched);
  await requestJson(path('o'), { query: { name_search: 'a b', limit: 2, skip: undefined } });
  await requestJson('/api/v2/agent/conversations', { method: 'POST', orgId: 'o', body: { source_id: 's' } });
  expect(fetched.mock.calls.map(([url, init]) => [url, init?.method, init?.headers, init?.body])).toEqual([
    ['/v0/orgs/o/tags?name_search=a+b&limit=2', 'GET', {}, undefined],
    [
      '/api/v2/agent/conversations',
      'POST',
      { 'content-type': 'application/json', 'x-org-id': 'o' },
      JSON.stringify({ source_id: 's' }),
    ],
  ]);
});

it('has the types of the operation that the method and the path name', () => {
  type Tags = ReturnType<typeof path>;
  interface NoOperation {
    operation: string;
  }
  expectTypeOf<DescribedOptions<'GET', '/v0/orgs/o/tag'>>().toExtend<NoOperation>();
  expectTypeOf<DescribedOptions<'PATCH', Tags>>().toExtend<NoOperation>();
  expectTypeOf<DescribedOptions<'GET', `${Tags}${string}`>>().toExtend<NoOperation>();
  expectTypeOf<DescribedOptions<'GET', `${Tags}/${string | undefined}`>>().toExtend<NoOperation>();
  expectTypeOf<{ body: { name: string } }>().toExtend<DescribedOptions<'POST', Tags>>();
  expectTypeOf<{ body: { color: string } }>().not.toExtend<DescribedOptions<'POST', Tags>>();
  expectTypeOf<{ method: 'POST' }>().not.toExtend<DescribedOptions<'POST', Tags>>();
  expectTypeOf<{ query: { limit: string } }>().not.toExtend<DescribedOptions<'GET', Tags>>();
  expectTypeOf<object>().not.toExtend<DescribedOptions<'GET', `/v0/orgs/${string}/find`>>();
  expectTypeOf<object>().not.toExtend<DescribedOptions<'GET', '/api/v2/sources'>>();
  const tag = (id: string) => requestJson(`${path('o')}/${id}`, {});
  const review = (orgId: string) =>
    requestJson(`/v0/orgs/${orgId}/review/decide`, { method: 'POST', body: { decisions: [] } });
  expectTypeOf(tag).returns.resolves.toEqualTypeOf<Tag>();
  expectTypeOf(review).returns.resolves.toEqualTypeOf<{ outcomes: ReviewOutcome[] }>();
});
