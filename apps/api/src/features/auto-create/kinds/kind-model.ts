import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** What the documents of a prompt's kind are recognised by. Words are JSON, because they may be any field's name. */
export interface KindRecord {
  /** Of the prompt. */
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  words: string;
  /** Documents that the words were counted in, the last ones. */
  document_ids: string[];
  /** The run that made the prompt, where one did. */
  creator_run_id?: string;
  /** Set on documents of the kind that come later: the tag that it was accepted with. */
  tag_id?: string;
  /** The decision that made the prompt an ordinary one: what it came to, and the tag that the prompt got by it. */
  accepted?: { by: string; prompt_revid: string; tag_id?: string };
}

/** A run that makes a kind of its document: others that may be of it wait. */
interface KindDraftRecord {
  /** Of the run. */
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  words: string;
  created_at: Date;
}

/** One organization decides at a time which of its runs makes a kind. */
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
