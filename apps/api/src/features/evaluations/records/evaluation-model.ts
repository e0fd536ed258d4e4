import type { EvaluationState, ResponseFormat } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { ProcessIdentity } from '../../../platform/leases/process-identity.ts';

/** What a model is asked with: one side of a comparison. */
export interface MeasuredSetup {
  content: string;
  schema_revid?: string | undefined;
  response_format?: ResponseFormat | undefined;
  /** As it is called, the default included. */
  model: string;
  examples: number;
}

export interface EvaluationFailure {
  code: string;
  message: string;
}

/** One measurement of a change. What it found in each document has a record of its own. */
export interface EvaluationRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  /** The revision that the change is compared with. */
  prompt_revid: string;
  /** As it was asked for; JSON text, since a schema holds names such as `$ref` that a field must not have. */
  candidate: string;
  /** `ExtractionSetup` as JSON text: with the change, and as it is now. */
  after: string;
  before: string;
  state: EvaluationState;
  /** While it is queued or running. */
  active?: true;
  stop_requested: boolean;
  total: number;
  /** Of all documents, how many baselines have to be run. */
  baselines_to_run: number;
  spu_estimated: number;
  /** The most that it is allowed to use beside the organization's budget. */
  spu_limit: number | null;
  seal: string;
  turn_id: string | null;
  call_id: string | null;
  requested_by: Types.ObjectId;
  lease?: { token?: string; until?: Date; holder?: ProcessIdentity };
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
  /** Its verified result: which one, at which version. */
  prompt_revid: string;
  version: number;
  /** Its place in the evaluation. */
  position: number;
  state: EvaluatedDocumentState;
  /** The claim of the evaluation under which it is measured: who has lost that changes nothing here. */
  token: string | null;
  /** The results before and after the change as JSON text, once they are there: a run that was paid for is not repeated. */
  before: string | null;
  after: string | null;
  /** What measuring it will cost, as far as earlier runs tell, and what it has cost. */
  spu_estimated: number;
  spu: number;
  /** JSON text, once it is done: counts for all fields and for each, the differences, and how many of each kind and field. */
  counts: string | null;
  fields: string | null;
  differences: string | null;
  difference_counts: string | null;
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
