import { DomainError, type Document } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../platform/database/object-id.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import type { UploadService } from '../documents/index.ts';
import { filesPerBatch, type Connector } from './connectors/connector.ts';
import type { SeenBatches } from './seen-batches.ts';
import { createSourceFiles, type SourceFileRepository } from './source-file-repository.ts';
import { createSync } from './sync-service.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await connection.collection('source_files').createIndex({ source_id: 1, identity: 1 }, { unique: true });
});
afterAll(() => connection.close());

/** By identity; equal texts have equal versions, as in a bucket. */
let files: Map<string, string>;
let seen: SeenBatches | undefined;
let organizationId: string;
let sourceId: string;
/** Identities that were looked up, and counts of all. */
let asked: string[];
let counted: number;
let maxFiles: number | undefined;
let maxMissingFiles: number | undefined;
beforeEach(() => {
  files = new Map();
  seen = undefined;
  maxFiles = undefined;
  maxMissingFiles = undefined;
  organizationId = newId();
  sourceId = newId();
});

const connector: Connector = {
  async *list() {
    const all = [...files].map(([identity, text]) => ({ identity, size: text.length, version: text }));
    for (let at = 0; at < all.length; at += filesPerBatch) yield all.slice(at, at + filesPerBatch);
  },
  read: async ({ identity, version }) => [{ name: identity, bytes: Buffer.from(version) }],
  async check() {},
  existing: async (identities) => new Set(identities.filter((each) => files.has(each))),
  async close() {},
};

function filesOf(_organizationId: string, _sourceId: string, place: string): SourceFileRepository {
  const stored = createSourceFiles(connection)(organizationId, sourceId, place);
  return {
    ...stored,
    async known(identities) {
      asked.push(...identities);
      return await stored.known(identities);
    },
    async countPresent() {
      counted += 1;
      return await stored.countPresent();
    },
  };
}
const uploads = (() => ({
  store: async (name: string) => ({ document_name: name }),
  finish: async () => [{ id: newId() } as Document],
  abandon: async () => undefined,
})) as unknown as UploadService;

async function sync(onWrite = async () => undefined, place = connector, taking = uploads) {
  asked = [];
  counted = 0;
  const take = createSync({
    filesOf,
    protectionOf: () => ({ keeping: async () => [], protectAll: async () => undefined }),
    uploads: taking,
    requireRoom: async () => undefined,
    rejudge: async () => undefined,
    tagsNamed: async () => [],
    maxFileBytes: 1_000,
    ...(maxFiles !== undefined && { maxFiles }),
    ...(maxMissingFiles !== undefined && { maxMissingFiles }),
  });
  const source = {
    id: sourceId,
    organizationId,
    tagIds: [],
    autoCreate: undefined,
    neverToModel: false,
    place: 'here',
  };
  const outcome = await take(source, place, {
    signal: new AbortController().signal,
    requireHeld: async () => undefined,
    onProgress: async () => undefined,
    isKeeping: async () => false,
    seen,
    async forgetSeen() {
      seen = undefined;
      await onWrite();
    },
  });
  seen = outcome.seen;
  return outcome.counts;
}
/** Files that former syncs have noted, and one more sync that finds them unchanged. */
async function settle(count: number) {
  for (let at = 0; at < count; at += 1) files.set(`${at}.txt`, `Text ${at}`);
  const source_id = new mongoose.Types.ObjectId(sourceId);
  const noted = [...files]
    .filter(([, text]) => text.length < 1_000)
    .map(([identity, version]) => ({ source_id, identity, version, document_ids: [], is_missing: false }));
  await connection.collection('source_files').insertMany(noted);
  await sync();
}
const missing = async (identity: string) =>
  (await createSourceFiles(connection)(organizationId, sourceId, 'here').known([identity])).get(identity)?.is_missing;

it('an unchanged place costs no query, whatever its number of files', async () => {
  await settle(1_200);
  expect(await sync()).toEqual({ seen: 1_200, taken: 0, unchanged: 1_200, missing: 0, failed: 0 });
  expect([asked, counted]).toEqual([[], 0]);
});

it('a new file costs the batch that it is in, and no other', async () => {
  await settle(1_500);
  const all = [...files];
  files = new Map([...all.slice(0, 700), ['new.txt', 'New'], ...all.slice(700)]);
  expect(await sync()).toMatchObject({ seen: 1_501, taken: 1, unchanged: 1_500 });
  expect(asked).toContain('new.txt');
  expect(asked.length).toBeLessThanOrEqual(filesPerBatch + 1);
});

it('sees a file that is gone, and again when it comes back as it was', async () => {
  await settle(300);
  const text = files.get('7.txt')!;
  const all = [...files];
  files.delete('7.txt');
  expect(await sync()).toMatchObject({ missing: 1, taken: 0 });
  expect(await missing('7.txt')).toBe(true);
  files = new Map(all);
  expect(await sync()).toMatchObject({ seen: 300, taken: 0 });
  expect([files.get('7.txt'), await missing('7.txt')]).toEqual([text, false]);
});

it('sees a file that gets other bytes and then its former ones', async () => {
  await settle(300);
  files.set('7.txt', 'Other');
  expect(await sync()).toMatchObject({ taken: 1 });
  files.set('7.txt', 'Text 7');
  expect(await sync()).toMatchObject({ taken: 1 });
});

it('forgets what it has seen before it notes anything, so that a killed sync leaves nothing wrong', async () => {
  await settle(300);
  files.set('7.txt', 'Other');
  const before: unknown[] = [];
  await sync(async () => {
    const known = await createSourceFiles(connection)(organizationId, sourceId, 'here').known(['7.txt']);
    before.push(known.get('7.txt')?.version);
  });
  expect(before).toEqual(['Text 7']);
});

it('a file that is no document does not make all others be looked up', async () => {
  files.set('large.txt', 'x'.repeat(2_000));
  await settle(1_500);
  expect(await sync()).toMatchObject({ seen: 1_501, failed: 1, unchanged: 1_500 });
  expect(counted).toBe(0);
  expect(asked.length).toBeLessThanOrEqual(filesPerBatch);
});

it('a place that lists more than a source can have ends its sync with an error', async () => {
  maxFiles = 1_300;
  for (let at = 0; at < 1_301; at += 1) files.set(`${at}.txt`, 'x'.repeat(2_000));
  await expect(sync()).rejects.toMatchObject({ code: 'source_too_large', message: expect.stringContaining('1,300') });
});

it('a mail of which one part has no room is not noted, so that all of it is taken once there is room', async () => {
  files.set('mail', 'parts');
  let room = 1;
  const limited = (() => ({
    async store(name: string) {
      if ((room -= 1) < 0) throw new DomainError('storage_full', 'storage_limit_reached', 'Full.');
      return { document_name: name };
    },
    finish: async () => [{ id: newId() } as Document],
    abandon: async () => undefined,
  })) as unknown as UploadService;
  const parts = async () => ['a', 'b'].map((part) => ({ name: part, part, bytes: Buffer.from(part) }));
  const settled: string[] = [];
  const mailbox: Connector = {
    ...connector,
    read: parts,
    async settle({ identity }) {
      settled.push(identity);
      return 'kept';
    },
  };
  expect(await sync(undefined, mailbox, limited)).toMatchObject({ taken: 1, failed: 1 });
  expect([settled, await missing('mail')]).toEqual([[], undefined]);
  room = 2;
  expect(await sync(undefined, mailbox, limited)).toMatchObject({ failed: 0 });
  expect([settled, await missing('mail')]).toEqual([['mail'], false]);
});

it('files that get other identities at each sync leave few records, also when no sync ends', async () => {
  const records = () => connection.collection('source_files').countDocuments({ source_id: ofSource });
  const ofSource = new mongoose.Types.ObjectId(sourceId);
  [maxFiles, maxMissingFiles] = [30, 5];
  let validity = 0;
  let endsAfter = Infinity;
  /** A folder that numbers its twenty mails anew each time. */
  const renumbering: Connector = {
    ...connector,
    async *list() {
      validity += 1;
      for (let uid = 0; uid < 20; uid += 1) {
        if (uid === endsAfter) throw new DomainError('invalid', 'source_unavailable', 'It broke off.');
        yield [{ identity: `${validity}/${uid}`, size: 1, version: '1' }];
      }
    },
    existing: async (identities) => new Set(identities.filter((each) => each.startsWith(`${validity}/`))),
  };
  for (let time = 0; time < 4; time += 1) await sync(undefined, renumbering);
  expect(await records()).toBe(25);
  endsAfter = 15;
  for (let time = 0; time < 8; time += 1) await sync(undefined, renumbering).catch(() => undefined);
  expect(await records()).toBeLessThanOrEqual(50);
});

it('takes a file although a sync of the former place has noted one of the same name and version last', async () => {
  files.set('1', 'Text');
  const former = createSourceFiles(connection)(organizationId, sourceId, 'there');
  const noted = { identity: '1', size: 4, version: 'Text' };
  await former.note(noted, [newId()], undefined);
  await former.noteSettled('1', 'kept');
  expect(await sync()).toMatchObject({ taken: 1, unchanged: 0 });
  await former.setMissing({ ...noted, is_missing: false, documentIds: [] }, new Date());
  expect(await sync()).toMatchObject({ taken: 0, unchanged: 1, missing: 0 });
  expect(await missing('1')).toBe(false);
});
