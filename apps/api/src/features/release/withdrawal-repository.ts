import mongoose, { type Connection, type Types } from 'mongoose';
import { documentModel } from '../documents/index.ts';
import {
  extractionModel,
  withdrawal,
  withoutTexts,
  type ExtractionRecord,
  type ReleaseChange,
} from '../extractions/index.ts';

/** What tells whether a result is still as it was read. */
export type ResultAsRead = Pick<ExtractionRecord, '_id' | 'organization_id' | 'version' | 'changes' | 'release'>;

/** Applies a change if the result is still as it was read. */
type Apply = (record: ResultAsRead, change: ReleaseChange) => Promise<boolean>;

/** How many former versions of a file are looked at. */
const maxVersions = 100;
const batchSize = 100;

/** Withdraws the released results that another one, a later version of the file or the trash makes invalid. */
export function createWithdrawals(connection: Connection, apply: Apply) {
  const extractions = extractionModel(connection);
  const documents = documentModel(connection);

  /**
   * A document has at most one released result of a prompt: the newest over all revisions, a verified one before later
   * ones, or an earlier one that was released since.
   */
  async function superseded({
    organization_id,
    document_id,
    prompt_id,
  }: Pick<ExtractionRecord, 'organization_id' | 'document_id' | 'prompt_id'>): Promise<ExtractionRecord[]> {
    const results = await extractions
      .find({ organization_id, document_id, prompt_id }, { version: 1, release: 1, created_at: 1 })
      .sort({ is_verified: -1, created_at: -1, _id: -1 })
      .lean();
    const [current] = results;
    const withdrawn: ExtractionRecord[] = [];
    for (const { _id, release, created_at } of results) {
      const since = release?.state === 'released' ? (release.released_at ?? created_at) : undefined;
      const isSuperseded = results.some(({ _id: other, release: later, created_at: made }) => {
        const from = later?.state === 'released' ? later.released_at : other === current?._id ? made : undefined;
        return other !== _id && since !== undefined && from !== undefined && from > since;
      });
      const found = isSuperseded ? await extractions.findOne({ _id, organization_id }).lean() : null;
      if (found?.release?.state !== 'released') continue;
      if (await apply(found, withdrawal(found, 're_extracted'))) withdrawn.push(found);
    }
    return withdrawn;
  }

  /** The results of a prompt on former versions of a file count until that on a later one is released. */
  async function replaced(
    { organization_id, document_id }: Pick<ExtractionRecord, 'organization_id' | 'document_id'>,
    prompt_id: string,
  ): Promise<void> {
    await withdrawIfReplaced({ organization_id, document_id }, prompt_id);
    let later: Types.ObjectId | undefined = document_id;
    for (let version = 0; later !== undefined && version < maxVersions; version += 1) {
      const record: { replaces?: Types.ObjectId | null } | null = await documents
        .findOne({ _id: later, organization_id }, { replaces: 1 })
        .lean();
      const former: Types.ObjectId | undefined = record?.replaces ?? undefined;
      later = former;
      if (former === undefined) return;
      const released = { organization_id, document_id: former, prompt_id, 'release.state': 'released' as const };
      for (const result of await extractions.find(released, withoutTexts).lean())
        await apply(result, withdrawal(result, 'replaced'));
    }
  }

  /** Verified or released by a user after the result of a later version of the file: that one counts. */
  async function withdrawIfReplaced(
    { organization_id, document_id }: Pick<ExtractionRecord, 'organization_id' | 'document_id'>,
    prompt_id: string,
  ): Promise<void> {
    let former: Types.ObjectId | undefined = document_id;
    for (let version = 0; former !== undefined && version < maxVersions; version += 1) {
      const record: { replaced_by?: Types.ObjectId | null } | null = await documents
        .findOne({ _id: former, organization_id }, { replaced_by: 1 })
        .lean();
      const later: Types.ObjectId | undefined = record?.replaced_by ?? undefined;
      former = later;
      if (later === undefined) return;
      const released = { organization_id, prompt_id, 'release.state': 'released' as const };
      if ((await extractions.exists({ ...released, document_id: later })) === null) continue;
      for (const result of await extractions.find({ ...released, document_id }, withoutTexts).lean())
        await apply(result, withdrawal(result, 'replaced'));
      return;
    }
  }

  /** Withdraws all released results of documents. */
  async function trashed(organization_id: ExtractionRecord['organization_id'], documentIds: Types.ObjectId[]) {
    const filter = { organization_id, document_id: { $in: documentIds }, 'release.state': 'released' as const };
    for (const record of await extractions.find(filter, withoutTexts).lean())
      await apply(record, withdrawal(record, 'trashed'));
  }

  /** Withdraws what a process that died has left released in the trash. */
  async function leftInTrash(): Promise<void> {
    const left = Object.assign({ deleted_at: { $gt: new Date(0) } }, { 'releases.state': 'released' } as object);
    const found = await documents.find(left, { organization_id: 1 }).limit(batchSize).lean();
    for (const { _id, organization_id } of found) {
      // A damaged document keeps no other result from being judged.
      if (organization_id instanceof mongoose.Types.ObjectId) await trashed(organization_id, [_id]);
    }
  }

  return { superseded, replaced, trashed, leftInTrash };
}
