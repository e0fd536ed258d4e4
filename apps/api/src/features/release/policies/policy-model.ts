import type { PausedBecause, ReleasePolicy } from '@docwright/contract';
import type { DriftLimits } from '@docwright/release';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

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
export type PolicyRecord = StoredRecord<typeof policySchema>;

/** What is known of a document and prompt for the policy: one record, of the last extraction. */
export type EvidenceRecord = StoredRecord<typeof evidenceSchema>;

const policySchema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    policy: field.mixed<StoredPolicy>().orNull(),
    /** Counts the changes of the policy. */
    version: field.number,
    changed_by: field.text,
    changed_at: field.date,
    /** The key of the digest that draws the sample. It never leaves the server. */
    sample_key: field.text,
    /** Documents that were extracted since then count. */
    evidence_since: field.date,
    subject: field.mixed<ReleaseSubject>().optional(),
    state: field.oneOf<'collecting' | 'active' | 'paused'>(),
    threshold: field.number.orNull(),
    bound: field.number,
    needed: field.number,
    paused_because: field.oneOf<PausedBecause>().optional(),
    active_since: field.date.optional(),
    /** Results that were released since then might be affected by the reason of the pause. */
    suspect_since: field.date.optional(),
    drift_limits: field.mixed<DriftLimits>().optional(),
    /** Counts all changes of the record, for concurrent writers. */
    changes: field.number,
  },
  { collection: 'release_policies', keepsEmptyObjects: true },
);
policySchema.index({ organization_id: 1, prompt_id: 1 }, { unique: true });

const evidenceSchema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    document_id: field.objectId,
    prompt_revid: field.text,
    version: field.number,
    /** The highest risk of its values before anybody decided about them, 0 to 1. */
    risk: field.number,
    values: field.number,
    /** Whether it is incomplete or fails a check: then no threshold releases it. */
    is_blocked: field.flag,
    is_drawn: field.flag,
    /** When the document was extracted. */
    at: field.date,
    audited_at: field.date.optional(),
    /** The day of the audit in UTC, as in `2026-05-01`. */
    audited_day: field.text.optional(),
    wrong_values: field.number.optional(),
    /** Seconds since the audit before it. */
    seconds: field.number.optional(),
  },
  { collection: 'release_evidence' },
);
evidenceSchema.index({ document_id: 1, prompt_id: 1 }, { unique: true });
// With the id, the latest are read in order: without it, the database sorts all that there are.
evidenceSchema.index({ organization_id: 1, prompt_id: 1, at: 1, _id: 1 });
evidenceSchema.index({ organization_id: 1, is_drawn: 1, audited_at: 1 });
evidenceSchema.index({ organization_id: 1, prompt_id: 1, audited_at: 1 });

export const policyModel = modelOf('ReleasePolicy', policySchema);

export const evidenceModel = modelOf('ReleaseEvidence', evidenceSchema);
