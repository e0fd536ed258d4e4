import type {
  ExtractionIssue,
  ExtractionVersion,
  Usage,
  VersionAuthor,
  Release,
  WithdrawnBecause,
} from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';

/** The release of a stored version, without its number. Absent means open and not judged yet. */
export interface ReleaseRecord extends Omit<Release, 'version' | 'released_at' | 'withdrawn'> {
  released_at?: Date;
  withdrawn?: { version: number; at: Date; because: WithdrawnBecause };
}

/** A change of state that is still to be published. Written together with the state, so that none is lost. */
export interface ReleaseEvent {
  /** Stored with the state, so that an event that is published twice keeps its id. */
  id: string;
  type: 'result.released' | 'result.withdrawn';
  version: number;
  at: Date;
  by?: 'policy' | 'user';
  policy_version?: number;
  because?: WithdrawnBecause;
}

/** What each version has. Results are JSON texts, since their keys can be any names; see `storedJson`. */
const versionFields = {
  organization_id: field.objectId,
  document_id: field.objectId,
  prompt_revid: field.objectId,
  prompt_id: field.text,
  schema_revid: field.text.orNull(),
  /** Counts runs and edits. */
  version: field.number,
  result: field.text,
  original_result: field.text,
  grounding: field.text,
  validation_errors: field.part({ path: field.text.unchecked(), message: field.text.unchecked() }).list(),
  /** Absent in results from before rows were counted. */
  issues: field.mixed<ExtractionIssue>().list().optional(),
  /** `ReviewFacts` as text of `storedJson`; absent or empty in results from before they were stored. */
  review_facts: field.text.optional(),
  is_edited: field.flag,
  is_verified: field.flag,
  /** Who verified it last; unknown in older records. */
  verified_by: field.text.optionalOrNull(),
  model: field.text,
  /** An answer of the model was not plain JSON and has been repaired. Absent in results from before this was noted. */
  repaired: field.flag.optional(),
  usage: field.mixed<Usage>(),
  created_at: field.date,
  changed_at: field.date,
  /** The author of the current version; absent in versions from before authors were stored. */
  author: field.mixed<VersionAuthor>().optional(),
  action: field.oneOf<NonNullable<ExtractionVersion['action']>>().optional(),
  restored_from: field.number.optional(),
  /** Absent until the first judgement. */
  release: field.mixed<ReleaseRecord>().optional(),
};

/** The result of a prompt's revision on a document. */
export type ExtractionRecord = StoredRecord<typeof extractionSchema>;

const extractionSchema = recordSchema(
  {
    ...versionFields,
    applied_calls: field.text.list(),
    /** Counts all changes. Undo reports a conflict if it has moved on. */
    changes: field.number.default(0),
    /** Set by every write until the review queue has processed it; `rescore` if only the risk of its values changes. */
    review_pending: field.oneOf<'written' | 'rescore'>().optional(),
    /** Set by every write until its release has been judged. */
    release_pending: field.mark.optional(),
    /** Set after a judgement that failed: when it is tried again. */
    release_retry_at: field.date.optional(),
    /** Changes of the release that are still to be published, oldest first. */
    outbox: field.mixed<ReleaseEvent>().list().optional(),
    /** The words of the values for the search; see `indexedTerms`. Absent until a result of an earlier version is indexed. */
    search: field.text.optional(),
    /** Set anew by every write until the index of results has processed it; see `indexMark`. */
    index_pending: field.text.optional(),
    /** Set anew by every write until its new versions are in the event log. */
    announce_pending: field.text.optional(),
    /** The newest version whose completion is in the event log; absent before the first. */
    announced_version: field.number.optional(),
  },
  { collection: 'extractions', keepsEmptyObjects: true },
);
extractionSchema.index({ organization_id: 1, document_id: 1, prompt_revid: 1 }, { unique: true });
extractionSchema.index({ organization_id: 1, document_id: 1, changed_at: -1 });
extractionSchema.index({ search: 'text' }, { default_language: 'none' });
extractionSchema.index({ organization_id: 1, document_id: 1, 'issues.code': 1 });
extractionSchema.index({ applied_calls: 1 }, { sparse: true });
extractionSchema.index({ review_pending: 1, organization_id: 1 }, { sparse: true });
extractionSchema.index({ release_pending: 1, organization_id: 1, changed_at: 1 }, { sparse: true });
extractionSchema.index({ 'outbox.id': 1 }, { sparse: true });
extractionSchema.index({ organization_id: 1, prompt_id: 1, 'release.state': 1, changed_at: 1 });
extractionSchema.index({ organization_id: 1, prompt_id: 1, _id: 1 });
extractionSchema.index(
  { organization_id: 1, changed_at: 1 },
  { partialFilterExpression: { announce_pending: { $exists: true } }, name: 'to_announce' },
);
extractionSchema.index({ index_pending: 1, organization_id: 1, prompt_id: 1 }, { sparse: true });
extractionSchema.index({ organization_id: 1, prompt_id: 1, is_verified: 1, changed_at: -1 });
extractionSchema.index({ organization_id: 1, prompt_id: 1, 'validation_errors.path': 1 });

export const extractionModel = modelOf('Extraction', extractionSchema);

/** Leaves out the texts of a result, which can be megabytes, for those that read many records and none of these. */
export const withoutTexts = { result: 0, original_result: 0, grounding: 0, review_facts: 0, search: 0 } as const;

/** An archived version. */
export type ExtractionVersionRecord = Omit<StoredRecord<typeof extractionVersionSchema>, '_id'>;

const extractionVersionSchema = recordSchema(versionFields, {
  collection: 'extraction_versions',
  keepsEmptyObjects: true,
});
extractionVersionSchema.index({ organization_id: 1, document_id: 1, prompt_revid: 1, version: -1 }, { unique: true });

export const extractionVersionModel = modelOf('ExtractionVersion', extractionVersionSchema);
