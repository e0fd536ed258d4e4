// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../shared/api/query-client.ts';
import { writeStored } from '../shared/ui/browser/stored-value.ts';
import { requestFirst } from './first-requests.ts';

afterEach(() => void vi.unstubAllGlobals());

const me = { user: { id: 'u' }, organizations: [{ id: 'o' }, { id: 'chosen' }] };

async function requested(pathname: string, search = '', signedIn = true): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    const answer = address === '/v0/me' ? me : {};
    return Promise.resolve(new Response(JSON.stringify(answer), { status: signedIn ? 200 : 401 }));
  });
  await requestFirst(createQueryClient(), { pathname, search });
  return asked;
}

it('asks for the session and the documents of the first page before its code is there', async () => {
  writeStored('docwright.organization', 'chosen');
  const documents = '/v0/orgs/chosen/documents';
  expect(await requested('/')).toEqual([
    '/v0/me',
    `${documents}?sort=upload_date&order=desc&skip=0&limit=20`,
    `${documents}?stage=proposal&skip=0&limit=1`,
  ]);
  const id = 'a'.repeat(24);
  expect(await requested(`/documents/${id}`, '?tab=agent')).toEqual(['/v0/me', `${documents}/${id}`]);
  writeStored('docwright.organization', null);
});

it('asks for nothing else on other pages, with a filter, or without a session', async () => {
  expect(await requested('/review')).toEqual(['/v0/me']);
  expect(await requested('/', '?q=letter')).toEqual(['/v0/me']);
  expect(await requested('/', '', false)).toEqual(['/v0/me']);
});
