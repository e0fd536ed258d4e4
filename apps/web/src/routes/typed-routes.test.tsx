import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { router } from '../router.tsx';
import { typedAddresses } from './typed-routes.tsx';

async function addressAfter(typed: string): Promise<string> {
  const own = createRouter({
    routeTree: router.options.routeTree!,
    history: createMemoryHistory({ initialEntries: [typed] }),
  });
  await own.load();
  return own.state.location.href;
}

it.each([
  ['/documents', '/'],
  ['/documents/', '/'],
  ['/upload', '/'],
  ['/schema', '/schemas'],
  ['/approvals', '/inbox'],
  ['/members', '/settings?section=organization'],
  ['/webhooks', '/settings?section=webhooks'],
  ['/routes', '/settings?section=routes'],
])('%s leads to %s', async (typed, shown) => {
  expect(await addressAfter(typed)).toBe(shown);
});

it('leads to pages that exist', async () => {
  for (const typed of Object.keys(typedAddresses)) {
    const shown = await addressAfter(typed);
    const found = router.matchRoutes(new URL(shown, 'http://localhost').pathname, {}).at(-1)?.fullPath;
    expect([typed, found]).not.toEqual([typed, '/__root__']);
    expect(shown).not.toBe(typed);
  }
});
