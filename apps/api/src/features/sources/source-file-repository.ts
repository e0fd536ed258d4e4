import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { documentModel } from '../documents/index.ts';
import type { FoundFile } from './connectors/folder-connector.ts';

/** A file that a source has taken: an unchanged one costs a comparison with it. */
interface SourceFileRecord {
  _id: Types.ObjectId;
  source_id: Types.ObjectId;
  identity: string;
  version: string;
  document_id: Types.ObjectId;
  is_missing: boolean;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const sourceFileSchema = new mongoose.Schema<SourceFileRecord>(
  {
    source_id: id,
    identity: { type: String, required: true },
    version: { type: String, required: true },
    document_id: id,
    is_missing: { type: Boolean, default: false },
  },
  { collection: 'source_files', versionKey: false, autoIndex: false },
);
sourceFileSchema.index({ source_id: 1, identity: 1 }, { unique: true });

function sourceFileModel(connection: Connection): Model<SourceFileRecord> {
  return connection.models['SourceFile'] ?? connection.model<SourceFileRecord>('SourceFile', sourceFileSchema);
}

export type KnownFile = Pick<SourceFileRecord, 'identity' | 'version' | 'is_missing'> & { documentId: string };

/** The files of one source, and the documents that they became. */
export interface SourceFileRepository {
  known(identities: readonly string[]): Promise<Map<string, KnownFile>>;
  /** The number of files that are not missing. */
  countPresent(): Promise<number>;
  /** Files that are not missing, after this identity, in order. */
  present(after: string, limit: number): Promise<KnownFile[]>;
  /** The document of a file with this content, if a former sync took it and died before it noted the file. */
  documentOf(sourceKey: string): Promise<string | undefined>;
  /** Notes a file; the document of its former content is replaced. Repeating it changes nothing. */
  note(file: FoundFile, documentId: string, former: KnownFile | undefined): Promise<void>;
  setMissing(file: KnownFile, since: Date | null): Promise<void>;
  removeAll(): Promise<void>;
}

export function createSourceFiles(
  connection: Connection,
): (organizationId: string, sourceId: string) => SourceFileRepository {
  const model = sourceFileModel(connection);
  const documents = documentModel(connection);
  return (organizationId, sourceId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const source_id = new mongoose.Types.ObjectId(sourceId);
    const knownOf = ({ identity, version, is_missing, document_id }: SourceFileRecord): KnownFile => ({
      identity,
      version,
      is_missing,
      documentId: document_id.toHexString(),
    });
    return {
      async known(identities) {
        const found = await model.find({ source_id, identity: { $in: [...identities] } }).lean();
        return new Map(found.map((record) => [record.identity, knownOf(record)]));
      },
      countPresent: () => model.countDocuments({ source_id, is_missing: false }),
      async present(after, limit) {
        const rest = { source_id, identity: { $gt: after }, is_missing: false };
        return (await model.find(rest).sort({ identity: 1 }).limit(limit).lean()).map(knownOf);
      },
      async documentOf(source_key) {
        return (await documents.findOne({ organization_id, source_key }, { _id: 1 }).lean())?._id.toHexString();
      },
      async note({ identity, version }, documentId, former) {
        const document_id = new mongoose.Types.ObjectId(documentId);
        if (former !== undefined) {
          // The file is there again, or has its former content again.
          const current = { missing_since: null, replaced_by: null, replaced_in: null };
          await documents.updateOne({ _id: document_id, organization_id }, { $set: current });
        }
        if (former !== undefined && former.documentId !== documentId) {
          const replaced = { replaced_by: document_id, replaced_in: organization_id, missing_since: null };
          await documents.updateOne({ _id: former.documentId, organization_id }, { $set: replaced });
        }
        const set = { version, document_id, is_missing: false };
        await model.updateOne({ source_id, identity }, { $set: set }, { upsert: true });
      },
      async setMissing({ identity, documentId }, since) {
        await documents.updateOne({ _id: documentId, organization_id }, { $set: { missing_since: since } });
        await model.updateOne({ source_id, identity }, { $set: { is_missing: since !== null } });
      },
      async removeAll() {
        await model.deleteMany({ source_id });
      },
    };
  };
}
