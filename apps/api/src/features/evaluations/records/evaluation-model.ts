import type { EvaluationState, ResponseFormat } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { StoredLease } from '../../../platform/leases/leases.ts';

/** The setup of a request to a model: one side of a comparison. */
export interface MeasuredSetup {
  content: string;
  schema_revid?: string | undefined;
  response_format?: ResponseFormat | undefined;
  /** The resolved model, which can be the default. */
  model: string;
  examples: number;
}

export interface EvaluationFailure {
  code: string;
  message: string;
}

/** One evaluation of a change. Each of its documents has a record of its own. */
export interface EvaluationRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  /** The revision to compare the change with. */
  prompt_revid: string;
  /** The requested change as JSON text, since a schema has keys such as `$ref` that are not allowed in the database. */
  candidate: string;
  /** The `MeasuredSetup` as JSON text, with and without the change. */
  after: string;
  before: string;
  state: EvaluationState;
  /** Present while it is queued or running. */
  active?: true;
  stop_requested: boolean;
  total: number;
  /** The number of documents whose baseline must be run. */
  baselines_to_run: number;
  spu_estimated: number;
  /** The limit of this evaluation, in addition to the organization's budget. */
  spu_limit: number | null;
  seal: string;
  turn_id: string | null;
  call_id: string | null;
  requested_by: Types.ObjectId;
  lease?: StoredLease;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  error: EvaluationFailure | null;
}

type EvaluatedDocumentState = 'waiting' | 'done' | 'failed';

/** One document of an evaluation. */
export interface EvaluatedDocumentRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  evaluation_id: Types.ObjectId;
  document_id: Types.ObjectId;
  /** The revision and version of its verified result. */
  prompt_revid: string;
  version: number;
  /** Its place in the evaluation. */
  position: number;
  state: EvaluatedDocumentState;
  /** The claim under which it is measured. A worker that has lost it cannot write here. */
  token: string | null;
  /** The results before and after the change as JSON text, stored at once so that a paid run is not repeated. */
  before: string | null;
  after: string | null;
  /** The estimated and the actual cost. */
  spu_estimated: number;
  spu: number;
  /** JSON text once it is done: the counts, those of each field, the differences, and their number by kind and field. */
  counts: string | null;
  fields: string | null;
  differences: string | null;
  difference_counts: string | null;
  /** Whether the release policy would release its result; absent without an active policy. */
  release?: { before: boolean; after: boolean };
  error: EvaluationFailure | null;
}

const id = mongoose.Schema.Types.ObjectId;
const mixed = mongoose.Schema.Types.Mixed;
const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalDate = { type: Date, default: null } as const;

const evaluationSchema = new mongoose.Schema<EvaluationRecord>(
  {
    organization_id: { type: id, required: true },
    prompt_id: text,
    prompt_revid: text,
    candidate: text,
    after: text,
    before: text,
    state: text,
    active: { type: Boolean },
    stop_requested: { type: Boolean, default: false },
    total: { type: Number, required: true },
    baselines_to_run: { type: Number, required: true },
    spu_estimated: { type: Number, required: true },
    spu_limit: { type: Number, default: null },
    seal: text,
    turn_id: optionalText,
    call_id: optionalText,
    requested_by: { type: id, required: true },
    lease: { type: mixed },
    created_at: { type: Date, required: true },
    started_at: optionalDate,
    ended_at: optionalDate,
    error: { type: mixed, default: null },
  },
  { collection: 'evaluations', versionKey: false, minimize: false, autoIndex: false },
);
evaluationSchema.index({ organization_id: 1, _id: -1 });
evaluationSchema.index({ organization_id: 1, prompt_id: 1, _id: -1 });
evaluationSchema.index({ active: 1, _id: 1 }, { sparse: true });
evaluationSchema.index({ call_id: 1 }, { sparse: true });

const evaluatedDocumentSchema = new mongoose.Schema<EvaluatedDocumentRecord>(
  {
    organization_id: { type: id, required: true },
    evaluation_id: { type: id, required: true },
    document_id: { type: id, required: true },
    prompt_revid: text,
    version: { type: Number, required: true },
    position: { type: Number, required: true },
    state: text,
    token: optionalText,
    before: optionalText,
    after: optionalText,
    spu_estimated: { type: Number, required: true },
    spu: { type: Number, default: 0 },
    counts: optionalText,
    fields: optionalText,
    differences: optionalText,
    difference_counts: optionalText,
    release: { type: mixed },
    error: { type: mixed, default: null },
  },
  { collection: 'evaluation_documents', versionKey: false, minimize: false, autoIndex: false },
);
evaluatedDocumentSchema.index({ evaluation_id: 1, document_id: 1 }, { unique: true });
evaluatedDocumentSchema.index({ evaluation_id: 1, position: 1 });
evaluatedDocumentSchema.index({ organization_id: 1, document_id: 1 });

export const evaluationModel = (connection: Connection): Model<EvaluationRecord> =>
  connection.models['Evaluation'] ?? connection.model<EvaluationRecord>('Evaluation', evaluationSchema);

export const evaluatedDocumentModel = (connection: Connection): Model<EvaluatedDocumentRecord> =>
  connection.models['EvaluatedDocument'] ??
  connection.model<EvaluatedDocumentRecord>('EvaluatedDocument', evaluatedDocumentSchema);
