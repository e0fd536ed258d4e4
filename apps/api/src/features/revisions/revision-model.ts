import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';

/** A write that a call of an agent made, and what it was answered with. */
export interface AppliedCall {
  call_id: string;
  revid: Types.ObjectId;
  name: string;
}

/** The stable thing: its name, and which revision is the current one. */
export interface ArtifactRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  current_version: number;
  current_revid: Types.ObjectId;
  /** What lists filter by, taken from the current revision. */
  facets: Record<string, unknown>;
  origin_document_id: string | null;
  /** Fields of the object, shared by all its revisions. */
  settings?: Record<string, unknown>;
  /** Set while nobody has accepted what a run without a person made. */
  review?: 'pending' | null;
  /** Counts every change, whoever made it: undo goes no further back than to what it knows. */
  changes: number;
  applied_calls: AppliedCall[];
  deleted_at: Date | null;
  deleted_by_call: string | null;
}

export type ArtifactFilter = QueryFilter<ArtifactRecord>;

/** Written once. The content is JSON text, because a schema holds names such as `$ref` that a field must not have. */
export interface RevisionRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  artifact_id: Types.ObjectId;
  version: number;
  content: string;
  /** Absent on what no agent wrote, so that the unique index passes over it. */
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
        type: [new mongoose.Schema<AppliedCall>({ call_id: String, revid: objectId, name: String }, { _id: false })],
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

/** The two collections behind a kind of thing that has revisions. */
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
