import type {
  ExtractionIssue,
  ExtractionVersion,
  Usage,
  ValidationError,
  VersionAuthor,
  Release,
  WithdrawnBecause,
} from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

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

/** The result of a prompt's revision on a document. Results are JSON texts, since their keys can be any names; see `storedJson`. */
export interface ExtractionRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  prompt_revid: Types.ObjectId;
  prompt_id: string;
  schema_revid: string | null;
  /** Counts runs and edits. */
  version: number;
  result: string;
  original_result: string;
  grounding: string;
  validation_errors: ValidationError[];
  /** Absent in results from before rows were counted. */
  issues?: ExtractionIssue[];
  /** `ReviewFacts` as text of `storedJson`; absent or empty in results from before they were stored. */
  review_facts?: string;
  is_edited: boolean;
  is_verified: boolean;
  model: string;
  usage: Usage;
  applied_calls: string[];
  /** The words of the values for the search; see `indexedTerms`. Absent until a result of an earlier version is indexed. */
  search?: string;
  /** Set by every write until the review queue has processed it; `rescore` if only the risk of its values changes. */
  review_pending?: 'written' | 'rescore';
  /** Absent until the first judgement. */
  release?: ReleaseRecord;
  /** Set by every write until its release has been judged. */
  release_pending?: true;
  /** Set after a judgement that failed: when it is tried again. */
  release_retry_at?: Date;
  /** Changes of the release that are still to be published, oldest first. */
  outbox?: ReleaseEvent[];
  /** Set anew by every write until the index of results has processed it; see `indexMark`. */
  index_pending?: string;
  /** Set anew by every write until its new versions are in the event log. */
  announce_pending?: string;
  /** The newest version whose completion is in the event log; absent before the first. */
  announced_version?: number;
  /** Counts all changes. Undo reports a conflict if it has moved on. */
  changes: number;
  created_at: Date;
  changed_at: Date;
  /** The author of the current version; absent in versions from before authors were stored. */
  author?: VersionAuthor;
  action?: ExtractionVersion['action'];
  restored_from?: number;
}

/** An archived version. */
export type ExtractionVersionRecord = Omit<
  ExtractionRecord,
  | '_id'
  | 'applied_calls'
  | 'changes'
  | 'review_pending'
  | 'release_pending'
  | 'release_retry_at'
  | 'outbox'
  | 'search'
  | 'index_pending'
  | 'announce_pending'
  | 'announced_version'
>;

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const json = { type: String, required: true } as const;
const mixed = { type: mongoose.Schema.Types.Mixed, required: true } as const;

const validationErrorSchema = new mongoose.Schema<ValidationError>({ path: String, message: String }, { _id: false });

const versionFields = {
  organization_id: objectId,
  document_id: objectId,
  prompt_revid: objectId,
  prompt_id: { type: String, required: true },
  schema_revid: { type: String, default: null },
  version: { type: Number, required: true },
  result: json,
  original_result: json,
  grounding: json,
  validation_errors: { type: [validationErrorSchema], default: () => [] },
  issues: { type: [mongoose.Schema.Types.Mixed], default: undefined },
  review_facts: { type: String },
  is_edited: { type: Boolean, required: true },
  is_verified: { type: Boolean, required: true },
  model: { type: String, required: true },
  usage: mixed,
  created_at: { type: Date, required: true },
  changed_at: { type: Date, required: true },
  author: { type: mongoose.Schema.Types.Mixed },
  action: { type: String },
  restored_from: { type: Number },
  release: { type: mongoose.Schema.Types.Mixed },
};

const extractionSchema = new mongoose.Schema<ExtractionRecord>(
  {
    ...versionFields,
    applied_calls: { type: [String], default: [] },
    changes: { type: Number, default: 0 },
    review_pending: { type: String },
    release_pending: { type: Boolean },
    release_retry_at: { type: Date },
    outbox: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    search: { type: String },
    index_pending: { type: String },
    announce_pending: { type: String },
    announced_version: { type: Number },
  },
  { collection: 'extractions', versionKey: false, minimize: false, autoIndex: false },
);
extractionSchema.index({ document_id: 1, prompt_revid: 1 }, { unique: true });
extractionSchema.index({ document_id: 1, changed_at: -1 });
extractionSchema.index({ search: 'text' }, { default_language: 'none' });
extractionSchema.index({ document_id: 1, 'issues.code': 1 });
extractionSchema.index({ applied_calls: 1 }, { sparse: true });
extractionSchema.index({ review_pending: 1, organization_id: 1 }, { sparse: true });
extractionSchema.index({ release_pending: 1, changed_at: 1 }, { sparse: true });
extractionSchema.index({ 'outbox.id': 1 }, { sparse: true });
extractionSchema.index({ organization_id: 1, prompt_id: 1, 'release.state': 1, changed_at: 1 });
extractionSchema.index({ organization_id: 1, prompt_id: 1, _id: 1 });
extractionSchema.index({ announce_pending: 1 }, { sparse: true });
extractionSchema.index({ index_pending: 1, organization_id: 1, prompt_id: 1 }, { sparse: true });
extractionSchema.index({ organization_id: 1, prompt_id: 1, is_verified: 1, changed_at: -1 });
extractionSchema.index({ organization_id: 1, prompt_id: 1, 'validation_errors.path': 1 });

export function extractionModel(connection: Connection): Model<ExtractionRecord> {
  return connection.models['Extraction'] ?? connection.model<ExtractionRecord>('Extraction', extractionSchema);
}

const extractionVersionSchema = new mongoose.Schema<ExtractionVersionRecord>(versionFields, {
  collection: 'extraction_versions',
  versionKey: false,
  minimize: false,
  autoIndex: false,
});
extractionVersionSchema.index({ document_id: 1, prompt_revid: 1, version: -1 }, { unique: true });

export function extractionVersionModel(connection: Connection): Model<ExtractionVersionRecord> {
  return (
    connection.models['ExtractionVersion'] ??
    connection.model<ExtractionVersionRecord>('ExtractionVersion', extractionVersionSchema)
  );
}
