import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The words that identify documents of a prompt's kind, as JSON, because a word can be an invalid field name. */
export interface KindRecord {
  /** The id of the prompt. */
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  words: string;
  /** The last documents whose words were counted. */
  document_ids: string[];
  /** The run that created the prompt, if any. */
  creator_run_id?: string;
  /** The tag of the acceptance, which later documents of the kind get. */
  tag_id?: string;
  /** The decision that accepted the prompt, the resulting revision, and the tag that the prompt got. */
  accepted?: { by: string; prompt_revid: string; tag_id?: string };
}

/** A run that creates a kind from its document. Runs of similar documents wait for it. */
interface KindDraftRecord {
  /** The id of the run. */
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  words: string;
  created_at: Date;
}

/** The lock of an organization's kinds. */
export interface KindLeaseRecord {
  _id: Types.ObjectId;
  lease?: unknown;
}

const anything = mongoose.Schema.Types.Mixed;

const kindSchema = new mongoose.Schema<KindRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    words: { type: String, required: true },
    document_ids: { type: [String], default: [] },
    creator_run_id: { type: String },
    tag_id: { type: String },
    accepted: anything,
  },
  { collection: 'document_kinds', versionKey: false, autoIndex: false },
);
kindSchema.index({ organization_id: 1 });

const kindDraftSchema = new mongoose.Schema<KindDraftRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    words: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { collection: 'document_kind_drafts', versionKey: false, autoIndex: false },
);
kindDraftSchema.index({ organization_id: 1 });

const kindLeaseSchema = new mongoose.Schema<KindLeaseRecord>(
  { lease: anything },
  { collection: 'document_kind_leases', versionKey: false, autoIndex: false },
);

interface KindModels {
  kinds: Model<KindRecord>;
  drafts: Model<KindDraftRecord>;
  leases: Model<KindLeaseRecord>;
}

export function kindModels(connection: Connection): KindModels {
  return {
    kinds: connection.models['DocumentKind'] ?? connection.model<KindRecord>('DocumentKind', kindSchema),
    drafts:
      connection.models['DocumentKindDraft'] ?? connection.model<KindDraftRecord>('DocumentKindDraft', kindDraftSchema),
    leases:
      connection.models['DocumentKindLease'] ?? connection.model<KindLeaseRecord>('DocumentKindLease', kindLeaseSchema),
  };
}
