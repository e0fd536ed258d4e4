import mongoose, { type Connection } from 'mongoose';
import { isDatabaseUnavailable } from '../connection.ts';
import { createJointWrites, writeOf, type JointWrite } from '../joint-writes.ts';
import { storedBytesModel, totalOwner } from './stored-bytes-model.ts';

/** Bytes of one owner; see `storedBytesSchema`. */
export interface OwnedBytes {
  owner: string;
  bytes: number;
}

/** A document whose file was stored, with what else can have lost its count; their bytes are read if nothing is counted. */
export interface FileToCount {
  documentId: string;
  bytes: number;
  parts?: readonly { owner: string; bytes: () => Promise<number> }[];
}

/** How many bytes each organization stores: a sum that is kept, with what each owner adds to it. */
export type StoredBytes = ReturnType<typeof createStoredBytes>;

const flushMs = 1_000;
const dayMs = 24 * 3_600_000;
/** Files of the time before a check can have been counted after it, or lost. */
const lateMs = 3_600_000;
const partsPerRead = 1_000;
/** Often enough that a moment without changes is found, unless something is stored all the time. */
const recountTries = 3;
/** Of a sum during which counting begins each time. */
const maxReads = 5;
const ofConnection = new WeakMap<Connection, StoredBytes>();

/** One for each connection, since it collects what its process has stored. */
export function storedBytesOf(connection: Connection): StoredBytes {
  const known = ofConnection.get(connection);
  if (known) return known;
  const created = createStoredBytes(connection);
  ofConnection.set(connection, created);
  return created;
}

/** The bytes of a record in the database, without its indexes. */
export const recordBytes = (record: object): number => mongoose.mongo.BSON.calculateObjectSize(record);

/** The owner of records that the database removes by itself on that day. */
export const expiringOwner = (at: Date): string => `until:${new Date(at.getTime() + dayMs).toISOString().slice(0, 10)}`;

/** The owner of the file of a document. */
export const fileOwner = (documentId: string): string => `${documentId}:file`;

/** The owner of the pages of a document, which can be read again. */
export const pagesOwner = (documentId: string): string => `${documentId}:pages`;

/** The owner of the messages of a conversation on a document. */
export const threadOwner = (documentId: string, threadId: string): string => `${documentId}:thread:${threadId}`;

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const bytesOf = (part: { bytes: number } | null): number => (isCount(part?.bytes) ? part.bytes : 0);

function createStoredBytes(connection: Connection) {
  const model = storedBytesModel(connection);
  const write = createJointWrites(connection);
  /** By organization and owner: what is stored, and counted within a second. */
  const waiting = new Map<string, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;
  /** How often counting has begun, and all that has. */
  let begun = 0;
  let counting: Promise<void> = Promise.resolve();

  const one = (organizationId: string, owner: string) => ({
    organization_id: new mongoose.Types.ObjectId(organizationId),
    owner,
  });

  function changeOf(organizationId: string, { owner, bytes }: OwnedBytes): JointWrite {
    const isTotal = owner === totalOwner;
    const update = { $inc: { bytes, ...(isTotal && { changes: 1 }) } };
    return writeOf(model, { updateOne: { filter: one(organizationId, owner), update, upsert: true } });
  }

  /** The writes that count what these owners have stored. */
  function changesOf(organizationId: string, parts: readonly OwnedBytes[]): JointWrite[] {
    const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    return [...parts, { owner: totalOwner, bytes: total }].map((part) => changeOf(organizationId, part));
  }

  function add(organizationId: string, owner: string, bytes: number): void {
    if (bytes === 0) return;
    const owners = waiting.get(organizationId) ?? new Map<string, number>();
    waiting.set(organizationId, owners.set(owner, (owners.get(owner) ?? 0) + bytes));
    timer ??= setTimeout(() => void flush().catch(() => undefined), flushMs).unref();
  }

  /** Counts now what `add` has collected. It is collected again if the database cannot be reached. */
  async function flush(): Promise<void> {
    begun += 1;
    const counted = countCollected();
    // Without what they resolve to: each would hold the one before.
    counting = Promise.allSettled([counting, counted]).then(() => undefined);
    await counted;
  }

  async function countCollected(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const collected = [...waiting];
    waiting.clear();
    const failures: unknown[] = [];
    for (const [organizationId, owners] of collected) {
      const parts = [...owners].map(([owner, bytes]) => ({ owner, bytes }));
      try {
        await write(changesOf(organizationId, parts));
      } catch (error) {
        // Those of other organizations are counted all the same.
        failures.push(error);
        if (isDatabaseUnavailable(error)) for (const { owner, bytes } of parts) add(organizationId, owner, bytes);
        // Some of the parts may be counted: collected again, they would grow with each try.
        else await repair(organizationId).catch(() => undefined);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function stored(organizationId: string): Promise<number> {
    for (let reads = 1; ; reads += 1) {
      // What is being counted is neither waiting nor yet in the sum.
      await counting;
      const before = begun;
      const found = await model.findOne(one(organizationId, totalOwner), { bytes: 1 }).lean();
      if (before !== begun && reads < maxReads) continue;
      const collected = [...(waiting.get(organizationId)?.values() ?? [])];
      return Math.max(
        0,
        collected.reduce((sum, bytes) => sum + bytes, bytesOf(found)),
      );
    }
  }

  async function forget(organizationId: string, owner: string): Promise<void> {
    await flush();
    const { organization_id } = one(organizationId, owner);
    // A colon divides the parts of an owner, and a semicolon is the next character.
    const own = { organization_id, $or: [{ owner }, { owner: { $gte: `${owner}:`, $lt: `${owner};` } }] };
    let bytes = 0;
    // One by one, each with what it has at that moment: of two removals at once, each part is given back by one.
    for (const { _id } of await model.find(own, { _id: 1 }).lean()) {
      bytes += bytesOf(await model.findOneAndDelete({ organization_id, _id }).lean());
    }
    if (bytes === 0) return;
    await write([changeOf(organizationId, { owner: totalOwner, bytes: -bytes })]);
  }

  /** Counts files of documents, and their other parts, that are not counted yet. */
  async function addFiles(organizationId: string, files: readonly FileToCount[]) {
    const { organization_id } = one(organizationId, '');
    const stored = files.flatMap(({ documentId, bytes, parts = [] }) => [
      { owner: fileOwner(documentId), bytes: async () => bytes },
      ...parts,
    ]);
    const owner = { $in: stored.map((part) => part.owner) };
    const known = new Set(
      (await model.find({ organization_id, owner }, { owner: 1 }).lean()).map((part) => part.owner),
    );
    const missing: OwnedBytes[] = [];
    for (const part of stored) {
      if (!known.has(part.owner)) missing.push({ owner: part.owner, bytes: await part.bytes() });
    }
    const uncounted = missing.filter(({ bytes }) => bytes > 0);
    if (uncounted.length === 0) return;
    const { upsertedIds } = await model.bulkWrite(
      uncounted.map((part) => ({
        updateOne: {
          filter: one(organizationId, part.owner),
          update: { $setOnInsert: { bytes: part.bytes } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    const bytes = Object.keys(upsertedIds).reduce((sum, at) => sum + uncounted[Number(at)]!.bytes, 0);
    await write([changeOf(organizationId, { owner: totalOwner, bytes })]);
  }

  /** Sets damaged numbers right, which nothing can be added to. What a part stored is then not counted any more. */
  async function repair(organizationId: string): Promise<void> {
    const { organization_id } = one(organizationId, '');
    const total = await model.findOne(one(organizationId, totalOwner)).lean();
    const isDamaged = (value: unknown) => value !== undefined && !isCount(value);
    if (total && (isDamaged(total.bytes) || isDamaged(total.changes))) {
      await model.updateOne(one(organizationId, totalOwner), { $set: { bytes: 0, changes: 0 } });
    }
    for await (const parts of partsOf(organizationId)) {
      const damaged = parts.filter(({ bytes }) => isDamaged(bytes));
      if (damaged.length === 0) continue;
      const _id = { $in: damaged.map((part) => part._id) };
      await model.updateMany({ organization_id, _id }, { $set: { bytes: 0 } });
    }
  }

  /** Sets the sum to that of its parts. If something was stored all the while, the sum stays. */
  async function recount(organizationId: string, signal: AbortSignal): Promise<void> {
    const total = one(organizationId, totalOwner);
    const { organization_id } = total;
    const today = `until:${new Date().toISOString().slice(0, 10)}`;
    for (const { owner } of await model.find({ organization_id, owner: { $gte: 'until:', $lt: today } }).lean()) {
      await forget(organizationId, owner);
    }
    for (let tries = 0; tries < recountTries; tries += 1) {
      const before = await model.findOne(total, { changes: 1 }).lean();
      if (before === null) return;
      let bytes = 0;
      for await (const parts of partsOf(organizationId)) {
        if (signal.aborted) return;
        for (const part of parts) bytes += part.bytes;
      }
      const { changes } = before;
      const unchanged = { ...total, ...(changes !== undefined && { changes }) };
      const { matchedCount } = await model.updateOne(unchanged, { $set: { bytes, checked_at: new Date() } });
      if (matchedCount > 0) return;
    }
  }

  async function* partsOf(organizationId: string) {
    const { organization_id } = one(organizationId, '');
    for (let after = totalOwner; ;) {
      const later = { organization_id, owner: { $gt: after } };
      const found = await model.find(later, { owner: 1, bytes: 1 }).sort({ owner: 1 }).limit(partsPerRead).lean();
      if (found.length === 0) return;
      after = found.at(-1)!.owner;
      yield found;
    }
  }

  return {
    /**
     * Counts what was stored, within a second. A process that is killed before then loses the count, save that of files and of the
     * pages of new documents, which `check` counts again.
     */
    add,
    flush,
    /** The bytes that the organization stores. */
    stored,
    /** No longer counts what the owner stored and what its parts did, after it was removed. */
    forget,
    /**
     * Counts bytes that are about to be stored for an owner that is not known yet. They count for two days, unless they get
     * their owners or are given back.
     */
    async reserve(organizationId: string, bytes: number) {
      const owner = expiringOwner(new Date(Date.now() + dayMs));
      await write(changesOf(organizationId, [{ owner, bytes }]));
      return {
        giveTo: async (parts: readonly OwnedBytes[]): Promise<void> =>
          await write(changesOf(organizationId, [...parts, { owner, bytes: -bytes }])),
        giveBack: async (): Promise<void> => await write(changesOf(organizationId, [{ owner, bytes: -bytes }])),
      };
    },
    /**
     * Compares the sum with its parts once a day, of which those that have expired are removed first: a process that was
     * killed can have counted one without the other. While something is stored all the time, it is tried again at the next call.
     *
     * @param filesSince the files of documents since then, in batches; of all documents without a time, which is read once, for
     * those from before bytes were counted
     */
    async check(
      organizationId: string,
      filesSince: (since: Date | undefined) => AsyncIterable<readonly FileToCount[]>,
      signal: AbortSignal,
    ): Promise<void> {
      const total = one(organizationId, totalOwner);
      const before = await model.findOne(total).lean();
      const checkedAt = before?.checked_at instanceof Date ? before.checked_at : undefined;
      if (checkedAt && Date.now() - checkedAt.getTime() < dayMs) return;
      await repair(organizationId);
      await flush();
      const since = before?.has_files && checkedAt ? new Date(checkedAt.getTime() - lateMs) : undefined;
      for await (const files of filesSince(since)) {
        if (signal.aborted) return;
        await addFiles(organizationId, files);
      }
      await model.updateOne(total, { $set: { has_files: true } });
      await recount(organizationId, signal);
    },
  };
}
