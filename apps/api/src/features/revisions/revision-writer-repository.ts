import mongoose from 'mongoose';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { recordBytes } from '../../platform/database/stored-bytes/stored-bytes.ts';
import type { revisionModels, RevisionRecord } from './revision-model.ts';

/** Where the next revision of an artifact goes. */
interface PlaceOfNext {
  /** The revision to build on. */
  newest: RevisionRecord;
  /** A later one that no artifact names, since its process was killed before: the next one is written in its place. */
  unnamed?: RevisionRecord | undefined;
}

type Written = Pick<RevisionRecord, 'content' | 'call_id' | 'created_at' | 'created_by'>;

/** A process that runs makes its artifact name a new revision at once. */
const unnamedMs = 30_000;

/** Writes the revisions of one organization, before their artifacts name them. */
export function createRevisionWriter(
  { artifacts, revisions }: ReturnType<typeof revisionModels>,
  organization_id: mongoose.Types.ObjectId,
  count: (bytes: number) => void,
) {
  /** Undefined if the version exists already; the stored revision if the call wrote it before. */
  async function insert(record: Omit<RevisionRecord, 'organization_id'>): Promise<RevisionRecord | undefined> {
    try {
      const inserted = await revisions.create({ ...record, organization_id });
      count(recordBytes(record));
      return inserted.toObject();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (record.call_id === undefined) return undefined;
      return (await revisions.findOne({ organization_id, call_id: record.call_id }).lean()) ?? undefined;
    }
  }

  /** Undefined if another process was faster. */
  async function replace(
    { _id, version, created_at }: RevisionRecord,
    written: Written,
  ): Promise<RevisionRecord | undefined> {
    const change = { $set: written, ...(written.call_id === undefined && { $unset: { call_id: 1 as const } }) };
    const replaced = await revisions
      .findOneAndUpdate({ _id, organization_id, version, created_at }, change, { returnDocument: 'after' })
      .lean();
    return replaced ?? undefined;
  }

  return {
    insert,
    async placeOfNext(artifact_id: mongoose.Types.ObjectId): Promise<PlaceOfNext> {
      const newestFirst = revisions.find({ artifact_id, organization_id }).sort({ version: -1 }).limit(2);
      const [newest, before] = await newestFirst.lean();
      if (newest === undefined) throw new Error(`The artifact ${artifact_id.toHexString()} has no revision.`);
      if (before === undefined || newest.created_at.getTime() > Date.now() - unnamedMs) return { newest };
      const owner = await artifacts.findOne({ _id: artifact_id, organization_id }, { current_version: 1 }).lean();
      if (owner === null || owner.current_version >= newest.version) return { newest };
      // Several changes can have been killed one after the other: the first of them was made from the named revision.
      const fromNamed = revisions.find({ artifact_id, organization_id, version: { $gte: owner.current_version } });
      const [named = newest, unnamed] = await fromNamed.sort({ version: 1 }).limit(2).lean();
      return { newest: named, unnamed };
    },
    /** Undefined if another process was faster. */
    async write({ newest, unnamed }: PlaceOfNext, written: Written): Promise<RevisionRecord | undefined> {
      if (unnamed) return await replace(unnamed, written);
      const { artifact_id, version } = newest;
      return await insert({ _id: new mongoose.Types.ObjectId(), artifact_id, version: version + 1, ...written });
    },
  };
}
