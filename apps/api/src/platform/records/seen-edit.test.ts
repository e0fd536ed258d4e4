import { expect, it } from 'vitest';
import { asRead, editAsSeen } from './seen-edit.ts';

interface Stored {
  name: string;
  settings?: { a: number };
  reads?: number;
}

/** An edit of a record that another user writes right before the first writes. */
function edit(stored: Stored, seen: object | undefined, ...crossing: Partial<Stored>[]) {
  const log: object[] = [];
  const write = async (unchanged: (set: object) => object) => {
    const filter = unchanged({ name: 'mine', 'settings.a': 2 }) as Record<string, { $eq: unknown }>;
    log.push(filter);
    Object.assign(stored, crossing.shift());
    const isUnchanged =
      !('name' in filter) ||
      (filter['name']?.$eq === stored.name && filter['settings.a']?.$eq === (stored.settings?.a ?? null));
    if (isUnchanged) stored.name = 'mine';
    return isUnchanged ? stored : undefined;
  };
  const read = async () => structuredClone(stored);
  const edited = editAsSeen({ what: 'tag', seen: seen as never, read, present: (record) => record }, write);
  return { log, edited };
}

it('writes over anything if its user names nothing that they saw', async () => {
  const { log, edited } = edit({ name: 'old' }, undefined, { name: 'theirs' });
  expect([await edited, log]).toEqual([{ name: 'mine' }, [{}]]);
});

it('names what is different, in any order of keys, and takes null for what is absent', async () => {
  await expect(edit({ name: 'theirs' }, { name: 'old', settings: null }).edited).rejects.toMatchObject({
    code: 'version_conflict',
    details: { changed: ['name'] },
    message: expect.stringContaining('Somebody has changed the tag since you read it: name. Read it again'),
  });
  expect(await edit({ name: 'old' }, { name: 'old', settings: null }).edited).toEqual({ name: 'mine' });
});

it('finds a write that crosses between the comparison and its own write', async () => {
  const { edited, log } = edit({ name: 'old' }, { name: 'old' }, { name: 'theirs' });
  await expect(edited).rejects.toMatchObject({ code: 'version_conflict' });
  expect(log).toEqual([{ name: { $eq: 'old' }, 'settings.a': { $eq: null } }]);
});

it('writes again after a crossing write of something that its user did not name', async () => {
  const { edited, log } = edit({ name: 'old' }, { name: 'old' }, { settings: { a: 1 } });
  expect(await edited).toEqual({ name: 'mine', settings: { a: 1 } });
  expect(log).toHaveLength(2);
});

it('compares stored keys that look like operators as what they are', () => {
  expect(asRead({ metadata: { $ne: 'a' } }, { metadata: {} })).toEqual({ metadata: { $eq: { $ne: 'a' } } });
});
