import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { revisionModels } from './revision-model.ts';
import { createRevisionRepositories } from './revision-repository.ts';
import type { RevisionRepository } from './revision.ts';

interface Note {
  text: string;
  words: string[];
}

let connection: Connection;
let notes: RevisionRepository<Note>;
const created_by = 'someone';
const organizationId = new mongoose.Types.ObjectId().toHexString();

beforeAll(async () => {
  connection = await connectTestDatabase();
  const repositories = createRevisionRepositories<Note>(connection, 'prompt', ({ words }) => ({ tag_ids: words }));
  notes = repositories(organizationId);
  for (const model of Object.values(connection.models)) await model.createIndexes();
});
afterAll(() => connection.close());

const note = (text: string): Note => ({ text, words: [] });
const to = (text: string) => ({ next: () => note(text), created_by });

it('numbers changes of the content; a rename or equal content makes no revision', async () => {
  const first = await notes.create({ name: 'a', content: note('one'), created_by });
  expect(first).toMatchObject({ version: 1, name: 'a', content: note('one') });
  const second = await notes.update(first.artifact_id, to('two'));
  expect(second).toMatchObject({ version: 2, artifact_id: first.artifact_id });
  expect(second?.revid).not.toBe(first.revid);
  const renamed = await notes.update(first.artifact_id, { ...to('two'), name: 'b' });
  expect(renamed).toMatchObject({ version: 2, revid: second?.revid, name: 'b' });
  expect(await notes.get(first.revid)).toMatchObject({ version: 1, name: 'b', content: note('one') });
  expect(await notes.getCurrent(first.artifact_id)).toMatchObject({ version: 2 });
  expect(await notes.getVersion(first.artifact_id, 1)).toMatchObject({ revid: first.revid });
});

it('gives concurrent changes different versions, and makes the highest one current', async () => {
  const { artifact_id } = await notes.create({ name: 'busy', content: note('0'), created_by });
  const changes = ['1', '2', '3', '4', '5', '6', '7', '8'].map((text) => notes.update(artifact_id, to(text)));
  const versions = (await Promise.all(changes)).map((revision) => revision?.version);
  expect(new Set(versions)).toEqual(new Set([2, 3, 4, 5, 6, 7, 8, 9]));
  expect(await notes.getCurrent(artifact_id)).toMatchObject({ version: 9 });
  const all = await notes.versions(artifact_id, { skip: 0, limit: 100 });
  expect(all?.revisions.map((revision) => revision.version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

it('writes once for repeated and concurrent requests of one call', async () => {
  const origin = { call_id: 'create-1', document_id: 'd' };
  const creations = [1, 2, 3].map(() => notes.create({ name: 'once', content: note('x'), created_by, origin }));
  const created = await Promise.all(creations);
  expect(new Set(created.map((revision) => revision.revid)).size).toBe(1);
  expect((await notes.list({ skip: 0, limit: 10, name_search: 'once' })).total_count).toBe(1);
  const id = created[0]?.artifact_id ?? '';

  const change = { ...to('y'), name: 'once more', origin: { call_id: 'update-1' } };
  const updated = await Promise.all([1, 2, 3].map(() => notes.update(id, change)));
  expect(updated.map((revision) => revision?.version)).toEqual([2, 2, 2]);
  await notes.update(id, { ...to('z'), name: 'later' });
  expect(await notes.applied(change.origin)).toMatchObject({ version: 2, name: 'once more', content: note('y') });
  expect(await notes.getCurrent(id)).toMatchObject({ version: 3, name: 'later' });

  expect(await notes.remove(id, { call_id: 'delete-1' })).toBe(true);
  expect(await notes.remove(id, { call_id: 'delete-1' })).toBe(true);
  expect(await notes.remove(id, { call_id: 'delete-2' })).toBe(false);
  expect(await notes.applied(origin)).toMatchObject({ version: 1 });
});

it('completes an interrupted creation when the call is repeated', async () => {
  const origin = { call_id: 'create-crashed' };
  const created = await notes.create({ name: 'half', content: note('x'), created_by, origin });
  await revisionModels(connection, 'prompt').artifacts.deleteOne({ _id: created.artifact_id });
  expect(await notes.applied(origin)).toBeUndefined();
  const again = await notes.create({ name: 'half', content: note('x'), created_by, origin });
  expect(again.revid).toBe(created.revid);
  expect(await notes.getCurrent(created.artifact_id)).toMatchObject({ name: 'half', version: 1 });
});

async function killUpdate(id: string, text = 'never shown'): Promise<void> {
  const { artifacts } = revisionModels(connection, 'prompt');
  const killed = vi.spyOn(artifacts, 'updateOne').mockRejectedValueOnce(new Error('killed'));
  await expect(notes.update(id, to(text))).rejects.toThrow('killed');
  killed.mockRestore();
}

async function makeOld(id: string): Promise<void> {
  const { revisions } = revisionModels(connection, 'prompt');
  const ofArtifact = { artifact_id: new mongoose.Types.ObjectId(id) };
  await revisions.updateMany(ofArtifact, { $set: { created_at: new Date(Date.now() - 3_600_000) } });
}

it('shows no revision of a change that was killed before the artifact named it, and its number goes to the next change', async () => {
  const first = await notes.create({ name: 'killed', content: note('one'), created_by });
  await killUpdate(first.artifact_id);
  const shown = async () =>
    (await notes.versions(first.artifact_id, { skip: 0, limit: 100 }))?.revisions.map(({ content }) => content.text);
  expect([await shown(), await notes.getVersion(first.artifact_id, 2)]).toEqual([['one'], undefined]);
  await makeOld(first.artifact_id);
  const base_version = 1;
  const next = (text: string) =>
    notes.update(first.artifact_id, {
      base_version,
      created_by,
      next: (current) => note(`${current.text} and ${text}`),
    });
  expect(await next('two')).toMatchObject({ version: 2, content: note('one and two') });
  expect(await shown()).toEqual(['one and two', 'one']);
  expect(await notes.getCurrent(first.artifact_id)).toMatchObject({ version: 2, content: note('one and two') });
  expect(await notes.update(first.artifact_id, to('three'))).toMatchObject({ version: 3 });
});

it('builds on the shown revision also after several changes that were killed one after the other', async () => {
  const { artifact_id } = await notes.create({ name: 'killed twice', content: note('1'), created_by });
  for (const text of ['never shown', 'not shown either']) await killUpdate(artifact_id, text);
  await makeOld(artifact_id);
  for (const base_version of [1, 2, undefined]) {
    const change = { base_version, created_by, next: ({ text }: Note) => note(`${text}+`) };
    await notes.update(artifact_id, change);
    await makeOld(artifact_id);
  }
  expect(await notes.getCurrent(artifact_id)).toMatchObject({ version: 4, content: note('1+++') });
});

it('separates organizations and finds nothing by a malformed id', async () => {
  const mine = await notes.create({ name: 'mine', content: note('x'), created_by });
  const stranger = createRevisionRepositories<Note>(connection, 'prompt', () => ({}))(
    new mongoose.Types.ObjectId().toHexString(),
  );
  expect(await stranger.get(mine.revid)).toBeUndefined();
  expect(await stranger.getCurrent(mine.artifact_id)).toBeUndefined();
  expect(await stranger.update(mine.artifact_id, to('theirs'))).toBeUndefined();
  expect(await stranger.remove(mine.artifact_id)).toBe(false);
  expect((await stranger.list({ skip: 0, limit: 10 })).total_count).toBe(0);
  expect(await notes.get('not an id')).toBeUndefined();
  expect(await notes.update('123456789012', to('x'))).toBeUndefined();
});

it('lists last changed artifacts first and searches names as plain text', async () => {
  await notes.create({ name: 'Zoo (a.*)', content: note('x'), created_by });
  const found = await notes.list({ skip: 0, limit: 10, name_search: '(A.*' });
  expect(found.revisions.map((revision) => revision.name)).toEqual(['Zoo (a.*)']);
  const first = await notes.list({ skip: 0, limit: 1 });
  expect(first.revisions[0]?.name).toBe('Zoo (a.*)');
  expect(first.total_count).toBeGreaterThan(1);
});
