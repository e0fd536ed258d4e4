import type { PausedBecause, ReleasePolicy } from '@docwright/contract';
import type { DriftLimits } from '@docwright/release';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

type StoredPolicy = Required<Omit<ReleasePolicy, 'checks_only'>> & Pick<ReleasePolicy, 'checks_only'>;

/** Revision, schema and model of a prompt's results. The evidence is about one of them. */
export interface ReleaseSubject {
  prompt_revid: string;
  schema_revid: string | null;
  model: string;
  /** When its first result was extracted. */
  since: Date;
}

/** The release policy of a prompt, and what its evidence says. */
export interface PolicyRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  policy: StoredPolicy | null;
  /** Counts the changes of the policy. */
  version: number;
  changed_by: string;
  changed_at: Date;
  /** The key of the digest that draws the sample. It never leaves the server. */
  sample_key: string;
  /** Documents that were extracted since then count. */
  evidence_since: Date;
  subject?: ReleaseSubject;
  state: 'collecting' | 'active' | 'paused';
  threshold: number | null;
  bound: number;
  needed: number;
  paused_because?: PausedBecause;
  active_since?: Date;
  /** Results that were released since then might be affected by the reason of the pause. */
  suspect_since?: Date;
  drift_limits?: DriftLimits;
  /** Counts all changes of the record, for concurrent writers. */
  changes: number;
}

/** What is known of a document and prompt for the policy: one record, of the last extraction. */
export interface EvidenceRecord {
  organization_id: Types.ObjectId;
  prompt_id: string;
  document_id: Types.ObjectId;
  prompt_revid: string;
  version: number;
  /** The highest risk of its values before anybody decided about them, 0 to 1. */
  risk: number;
  values: number;
  /** Whether it is incomplete or fails a check: then no threshold releases it. */
  is_blocked: boolean;
  is_drawn: boolean;
  /** When the document was extracted. */
  at: Date;
  audited_at?: Date;
  /** The day of the audit in UTC, as in `2026-05-01`. */
  audited_day?: string;
  wrong_values?: number;
  /** Seconds since the audit before it. */
  seconds?: number;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;
const flag = { type: Boolean, required: true } as const;
const mixed = { type: mongoose.Schema.Types.Mixed };

const policySchema = new mongoose.Schema<PolicyRecord>(
  {
    organization_id: objectId,
    prompt_id: text,
    policy: { type: mongoose.Schema.Types.Mixed, default: null },
    version: number,
    changed_by: text,
    changed_at: date,
    sample_key: text,
    evidence_since: date,
    subject: mixed,
    state: text,
    threshold: { type: Number, default: null },
    bound: number,
    needed: number,
    paused_because: { type: String },
    active_since: { type: Date },
    suspect_since: { type: Date },
    drift_limits: mixed,
    changes: number,
  },
  { collection: 'release_policies', versionKey: false, minimize: false, autoIndex: false },
);
policySchema.index({ organization_id: 1, prompt_id: 1 }, { unique: true });

const evidenceSchema = new mongoose.Schema<EvidenceRecord>(
  {
    organization_id: objectId,
    prompt_id: text,
    document_id: objectId,
    prompt_revid: text,
    version: number,
    risk: number,
    values: number,
    is_blocked: flag,
    is_drawn: flag,
    at: date,
    audited_at: { type: Date },
    audited_day: { type: String },
    wrong_values: { type: Number },
    seconds: { type: Number },
  },
  { collection: 'release_evidence', versionKey: false, autoIndex: false },
);
evidenceSchema.index({ document_id: 1, prompt_id: 1 }, { unique: true });
// With the id, the latest are read in order: without it, the database sorts all that there are.
evidenceSchema.index({ organization_id: 1, prompt_id: 1, at: 1, _id: 1 });
evidenceSchema.index({ organization_id: 1, is_drawn: 1, audited_at: 1 });
evidenceSchema.index({ organization_id: 1, prompt_id: 1, audited_at: 1 });

export function policyModel(connection: Connection): Model<PolicyRecord> {
  return connection.models['ReleasePolicy'] ?? connection.model<PolicyRecord>('ReleasePolicy', policySchema);
}

export function evidenceModel(connection: Connection): Model<EvidenceRecord> {
  return connection.models['ReleaseEvidence'] ?? connection.model<EvidenceRecord>('ReleaseEvidence', evidenceSchema);
}
