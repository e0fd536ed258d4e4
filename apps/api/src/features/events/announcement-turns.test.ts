import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '../event-log/index.ts';
import { extractionModel } from '../extractions/index.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createAnnouncements } from './announcement-repository.ts';

let connection: mongoose.Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await extractionModel(connection).createIndexes();
});
afterAll(() => connection.close());

it('an organization with many new results holds up the events of no other', async () => {
  const id = () => new mongoose.Types.ObjectId();
  const [many, one] = [id(), id()];
  const pending = (organization_id: mongoose.Types.ObjectId, at: number) => ({
    organization_id,
    document_id: id(),
    prompt_revid: id(),
    prompt_id: 'p',
    version: 1,
    action: 'extracted',
    changed_at: new Date(at),
    announce_pending: 'a',
  });
  const results = [...Array.from({ length: 45 }, (_, at) => pending(many, at)), pending(one, 1_000)];
  await extractionModel(connection).collection.insertMany(results);
  const appended: { organization: string; at: number }[] = [];
  const append = async (organization: string, events: readonly NewEvent[]) =>
    void appended.push({ organization, at: events[0]!.at.getTime() });
  const log = { error: (fields: object) => expect(fields).toBeUndefined() };
  const announcements = createAnnouncements(connection, { append }, log);
  await announcements.work(new AbortController().signal);
  expect(appended).toHaveLength(46);
  expect(appended.findIndex(({ organization }) => organization === one.toHexString())).toBeLessThanOrEqual(20);
  const ofMany = appended.filter(({ organization }) => organization === many.toHexString());
  expect(ofMany.map(({ at }) => at)).toEqual(Array.from({ length: 45 }, (_, at) => at));
});
