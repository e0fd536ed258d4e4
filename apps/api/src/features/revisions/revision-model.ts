import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';

/** A write by an agent's call, and its answer. */
export interface AppliedCall {
  call_id: string;
  revid: Types.ObjectId;
  name: string;
  /** What the call made the artifact share with all its revisions. Absent for calls of earlier releases. */
  shared?: Record<string, unknown>;
}

/** A schema or prompt: its stable id, its name and its current revision. */
export interface ArtifactRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  current_version: number;
  current_revid: Types.ObjectId;
  /** The values that lists filter by, from the current revision. */
  facets: Record<string, unknown>;
  origin_document_id: string | null;
  /** Fields of the artifact, shared by all its revisions. */
  settings?: Record<string, unknown>;
  /** Set while an artifact that a run without a user created waits for acceptance. */
  review?: 'pending' | null;
  /** Counts every change by anyone: undo detects changes of others by it. */
  changes: number;
  applied_calls: AppliedCall[];
  deleted_at: Date | null;
  deleted_by_call: string | null;
}

export type ArtifactFilter = QueryFilter<ArtifactRecord>;

/** Immutable. The content is JSON text: schemas contain names such as `$ref`, which fields must not have. */
export interface RevisionRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  artifact_id: Types.ObjectId;
  version: number;
  content: string;
  /** Absent for writes without a call, so that the unique index skips them. */
  call_id?: string;
  created_at: Date;
  created_by: string;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;

function artifactSchema(collection: string) {
  const schema = new mongoose.Schema<ArtifactRecord>(
    {
      organization_id: objectId,
      name: { type: String, required: true },
      current_version: { type: Number, required: true },
      current_revid: objectId,
      facets: { type: mongoose.Schema.Types.Mixed, default: {} },
      changes: { type: Number, default: 0 },
      origin_document_id: { type: String, default: null },
      settings: { type: mongoose.Schema.Types.Mixed },
      review: { type: String },
      applied_calls: {
        type: [
          new mongoose.Schema<AppliedCall>(
            { call_id: String, revid: objectId, name: String, shared: mongoose.Schema.Types.Mixed },
            { _id: false },
          ),
        ],
        default: [],
      },
      deleted_at: { type: Date, default: null },
      deleted_by_call: { type: String, default: null },
    },
    { collection, versionKey: false, minimize: false, autoIndex: false },
  );
  schema.index({ organization_id: 1, deleted_at: 1, current_revid: -1 });
  schema.index({ organization_id: 1, 'facets.tag_ids': 1 });
  schema.index({ 'applied_calls.call_id': 1 }, { sparse: true });
  return schema;
}

function revisionSchema(collection: string) {
  const schema = new mongoose.Schema<RevisionRecord>(
    {
      organization_id: objectId,
      artifact_id: objectId,
      version: { type: Number, required: true },
      content: { type: String, required: true },
      call_id: { type: String },
      created_at: { type: Date, required: true },
      created_by: { type: String, required: true },
    },
    { collection, versionKey: false, autoIndex: false },
  );
  schema.index({ artifact_id: 1, version: 1 }, { unique: true });
  schema.index({ call_id: 1 }, { unique: true, sparse: true });
  return schema;
}

export type RevisionedKind = 'schema' | 'prompt';

const schemasOf = {
  schema: { artifact: artifactSchema('schemas'), revision: revisionSchema('schema_revisions') },
  prompt: { artifact: artifactSchema('prompts'), revision: revisionSchema('prompt_revisions') },
};

/** The collections of a revisioned kind: the artifacts and their revisions. */
export function revisionModels(
  connection: Connection,
  kind: RevisionedKind,
): { artifacts: Model<ArtifactRecord>; revisions: Model<RevisionRecord> } {
  const [artifactName, revisionName] = [`${kind}_artifact`, `${kind}_revision`];
  return {
    artifacts:
      connection.models[artifactName] ?? connection.model<ArtifactRecord>(artifactName, schemasOf[kind].artifact),
    revisions:
      connection.models[revisionName] ?? connection.model<RevisionRecord>(revisionName, schemasOf[kind].revision),
  };
}
