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

it('removes the drafts of a user at the sign-out, and stores nothing after it', async () => {
  const bob = await loadPage();
  bob.claimStorage('bob');
  bob.writeStored('docwright.draft.d.new', 'What does Ann earn?');
  const ann = await loadPage();
  ann.claimStorage('ann');
  ann.writeStored('docwright.draft.d.new', 'What does Bob earn?');
  ann.writeStored('docwright.value.d.p', '1,200');
  ann.writeStored('docwright.panel-width', '500');
  expect(ann.countDrafts()).toBe(2);
  ann.endStorage();
  // A field that is closed by the sign-out.
  ann.writeStored('docwright.draft.d.new', 'What does Bob earn?');
  expect(ann.countDrafts()).toBe(0);
  expect(ann.readStored('docwright.panel-width')).toBe('500');
  expect(bob.readStored('docwright.draft.d.new')).toBe('What does Ann earn?');
});

it('removes drafts that did not change for a month, also those of users who did not come back', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-01') });
  const ann = await loadPage();
  ann.claimStorage('ann');
  ann.writeStored('docwright.draft.d.new', 'What does Bob earn?');
  ann.writeStored('docwright.task-draft.o', 'Pay');
  const startOf = async (day: string) => {
    vi.setSystemTime(new Date(day));
    (await loadPage()).claimStorage('bob');
  };
  await startOf('2026-01-02');
  await startOf('2026-01-31');
  expect(ann.countDrafts()).toBe(2);
  ann.writeStored('docwright.task-draft.o', 'Pay Contoso');
  await startOf('2026-02-01');
  expect(ann.readStored('docwright.draft.d.new')).toBeNull();
  expect(ann.readStored('docwright.task-draft.o')).toBe('Pay Contoso');
  vi.useRealTimers();
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
