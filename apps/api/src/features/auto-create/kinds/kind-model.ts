import type { Connection } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/**
 * The words that identify documents of a prompt's kind, as JSON, because a word can be an invalid field name. The id is
 * the prompt's.
 */
export type KindRecord = StoredRecord<typeof kindSchema>;

/** The lock of an organization's kinds. */
export type KindLeaseRecord = StoredRecord<typeof kindLeaseSchema>;

const kindSchema = recordSchema(
  {
    organization_id: field.objectId,
    words: field.text,
    /** The last documents whose words were counted. */
    document_ids: field.text.list(),
    /** The run that created the prompt, if any. */
    creator_run_id: field.text.optional(),
    /** The tag of the acceptance, which later documents of the kind get. */
    tag_id: field.text.optional(),
    /** The decision that accepted the prompt, the resulting revision, and the tag that the prompt got. */
    accepted: field.mixed<{ by: string; prompt_revid: string; tag_id?: string }>().optional(),
  },
  { collection: 'document_kinds' },
);
kindSchema.index({ organization_id: 1 });

/** A run that creates a kind from its document; the id is the run's. Runs of similar documents wait for it. */
const kindDraftSchema = recordSchema(
  {
    organization_id: field.objectId,
    words: field.text,
    created_at: field.date,
  },
  { collection: 'document_kind_drafts' },
);
kindDraftSchema.index({ organization_id: 1 });

const kindLeaseSchema = recordSchema(
  {
    lease: field.mixed<unknown>().optional(),
  },
  { collection: 'document_kind_leases' },
);

const kinds = modelOf('DocumentKind', kindSchema);
const drafts = modelOf('DocumentKindDraft', kindDraftSchema);
const leases = modelOf('DocumentKindLease', kindLeaseSchema);

export const kindModels = (connection: Connection) => ({
  kinds: kinds(connection),
  drafts: drafts(connection),
  leases: leases(connection),
});
