// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

/** The module as a page loads it. */
async function loadPage() {
  vi.resetModules();
  return await import('./stored-value.ts');
}

beforeEach(() => window.localStorage.clear());

it('gives what one user has written and chosen to no other one in the same browser', async () => {
  const ann = await loadPage();
  ann.claimStorage('ann');
  ann.writeStored('docwright.approval.d', 'everything');
  ann.writeStored('docwright.draft.d.new', 'What does Bob earn?');
  ann.writeStored('docwright.theme', 'dark');
  const bob = await loadPage();
  bob.claimStorage('bob');
  expect(['approval.d', 'draft.d.new', 'theme'].map((key) => bob.readStored(`docwright.${key}`))).toEqual([
    null,
    null,
    'dark',
  ]);
  // The page of Ann that is still open writes as hers.
  ann.claimStorage('bob');
  ann.writeStored('docwright.draft.d.new', 'What does Bob get?');
  expect(bob.readStored('docwright.draft.d.new')).toBeNull();
  const again = await loadPage();
  again.claimStorage('ann');
  expect(again.readStored('docwright.draft.d.new')).toBe('What does Bob get?');
  expect(again.readStored('docwright.approval.d')).toBe('everything');
});

it('keeps the drafts of a former release, and none of its approvals in advance', async () => {
  window.localStorage.setItem('docwright.form.d.p', 'typed');
  window.localStorage.setItem('docwright.approval.d', 'everything');
  const page = await loadPage();
  page.claimStorage('ann');
  expect(page.readStored('docwright.form.d.p')).toBe('typed');
  expect(page.readStored('docwright.approval.d')).toBeNull();
  const other = await loadPage();
  other.claimStorage('bob');
  expect(other.readStored('docwright.form.d.p')).toBeNull();
});

it('tells the other windows each time that its user signs in, and says nothing for another user', async () => {
  const page = await loadPage();
  page.claimStorage('ann');
  const other = await loadPage();
  other.claimStorage('bob');
  page.claimStorage('bob');
  page.claimStorage('ann');
  expect(window.localStorage.getItem('docwright.user')).toBe('ann');
  page.claimStorage('bob');
  expect(window.localStorage.getItem('docwright.user')).toBe('ann');
});

it('tells a page when another user signs in in another window', async () => {
  const page = await loadPage();
  page.claimStorage('ann');
  const onOther = vi.fn();
  const stop = page.onOtherUser(onOther);
  const sign = (newValue: string) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'docwright.user', newValue }));
  sign('ann');
  expect(onOther).not.toHaveBeenCalled();
  sign('bob');
  stop();
  sign('carl');
  expect(onOther).toHaveBeenCalledOnce();
});
