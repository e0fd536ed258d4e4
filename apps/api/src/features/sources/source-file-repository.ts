import mongoose, { type Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import { createVersionRepositories, documentModel } from '../documents/index.ts';
import { filesPerBatch, type FoundFile } from './connectors/connector.ts';

/** A file that a source has taken: an unchanged one costs a comparison with it. */
type SourceFileRecord = StoredRecord<typeof sourceFileSchema>;

const sourceFileSchema = recordSchema(
  {
    source_id: field.objectId,
    identity: field.text,
    version: field.text,
    /** A mail can be several documents, or none. */
    document_ids: field.objectId.list(),
    is_missing: field.flag.default(false),
    /** The source has applied its `afterwards` to the file. */
    is_settled: field.flag.optional(),
    /** Where the source was when the file was noted. Absent in records of earlier releases, which were forgotten at a move. */
    place: field.text.optional(),
  },
  { collection: 'source_files' },
);
sourceFileSchema.index({ source_id: 1, identity: 1 }, { unique: true });
sourceFileSchema.index({ source_id: 1, document_ids: 1 });

const sourceFileModel = modelOf('SourceFile', sourceFileSchema);

export type KnownFile = Pick<SourceFileRecord, 'identity' | 'version' | 'is_missing' | 'is_settled'> & {
  documentIds: string[];
};

/** The files of one source, and the documents that they became. */
export type SourceFileRepository = ReturnType<ReturnType<typeof createSourceFiles>>;

export function createSourceFiles(connection: Connection) {
  const model = sourceFileModel(connection);
  const documents = documentModel(connection);
  const versionsOf = createVersionRepositories(connection);
  /** @param place a source that has moved finds nothing of what a sync of its former place still notes */
  return (organizationId: string, sourceId: string, place: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const source_id = new mongoose.Types.ObjectId(sourceId);
    const versions = versionsOf(organizationId);
    const knownOf = ({ identity, version, is_missing, is_settled, document_ids }: SourceFileRecord): KnownFile => ({
      identity,
      version,
      is_missing,
      ...(is_settled && { is_settled }),
      documentIds: document_ids.map((each) => each.toHexString()),
    });
    const here = { source_id, place: { $in: [place, null] } };
    const among = (ids: readonly string[]) => ({ _id: { $in: ids }, organization_id });
    return {
      async known(identities: readonly string[]): Promise<Map<string, KnownFile>> {
        const found = await model.find({ ...here, identity: { $in: [...identities] } }).lean();
        return new Map(found.map((record) => [record.identity, knownOf(record)]));
      },
      /** The number of files that are not missing. */
      countPresent: (): Promise<number> => model.countDocuments({ ...here, is_missing: false }),
      /** Files that are not missing, after this identity, in order. */
      async present(after: string, limit: number): Promise<KnownFile[]> {
        const rest = { ...here, identity: { $gt: after }, is_missing: false };
        return (await model.find(rest).sort({ identity: 1 }).limit(limit).lean()).map(knownOf);
      },
      /** The document of a file with this content, if a former sync took it and died before it noted the file. */
      async documentOf(source_key: string): Promise<string | undefined> {
        return (await documents.findOne({ organization_id, source_key }, { _id: 1 }).lean())?._id.toHexString();
      },
      /** Notes a file; the documents of its former content are replaced. Repeating it changes nothing. */
      async note(
        { identity, version }: FoundFile,
        documentIds: readonly string[],
        former: KnownFile | undefined,
      ): Promise<void> {
        // The file is there again, has its former content again, or is at another place.
        const there = { ...among(documentIds), source_id, missing_since: { $ne: null } };
        await documents.updateMany(there, { $set: { missing_since: null } });
        if (former !== undefined) {
          await versions.unreplace(documentIds);
          const [next] = documentIds;
          const old = former.documentIds.filter((each) => !documentIds.includes(each));
          if (next !== undefined && old.length > 0) await versions.replace(old, next);
        }
        const document_ids = documentIds.map((each) => new mongoose.Types.ObjectId(each));
        const set = { version, document_ids, is_missing: false, is_settled: false, place };
        await model.updateOne({ source_id, identity }, { $set: set }, { upsert: true });
      },
      /** Records that the source has applied its `afterwards` to the file. */
      async noteSettled(identity: string, place: 'kept' | 'gone'): Promise<void> {
        const set = { is_settled: true, is_missing: place === 'gone' };
        await model.updateOne({ ...here, identity }, { $set: set });
      },
      /** Documents that are still another file of the source are not missing. */
      async setMissing({ identity, documentIds }: KnownFile, since: Date | null): Promise<void> {
        await model.updateOne({ ...here, identity }, { $set: { is_missing: since !== null } });
        const elsewhere = await model.distinct('document_ids', {
          source_id,
          is_missing: false,
          identity: { $ne: identity },
          document_ids: { $in: documentIds },
        });
        const kept = new Set(elsewhere.map(String));
        const gone = documentIds.filter((each) => !kept.has(each));
        await documents.updateMany(among(gone), { $set: { missing_since: since } });
      },
      /**
       * Forgets files that are missing, save those that were noted last. One that is there again is read again and is the
       * same document; if it has another content by then, it is no version of the former one.
       */
      async forgetMissing(keep: number): Promise<void> {
        const missing = { source_id, is_missing: true };
        const [last] = await model.find(missing, { _id: 1 }).sort({ _id: -1 }).skip(keep).limit(1).lean();
        if (last === undefined) return;
        const old = { ...missing, _id: { $lte: last._id } };
        for (let after = ''; ;) {
          const batch = await model
            .find({ ...old, identity: { $gt: after } }, { identity: 1 })
            .sort({ identity: 1 })
            .limit(filesPerBatch)
            .lean();
          if (batch.length === 0) return;
          await model.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
          after = batch.at(-1)!.identity;
        }
      },
      async removeAll(): Promise<void> {
        await model.deleteMany({ source_id });
      },
    };
  };
}
