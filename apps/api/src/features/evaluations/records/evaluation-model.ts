import type { EvaluationState, ResponseFormat } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
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
export type EvaluationRecord = StoredRecord<typeof evaluationSchema>;

type EvaluatedDocumentState = 'waiting' | 'done' | 'failed';

/** One document of an evaluation. */
export type EvaluatedDocumentRecord = StoredRecord<typeof evaluatedDocumentSchema>;

const evaluationSchema = recordSchema(
  {
    organization_id: field.objectId,
    prompt_id: field.text,
    /** The revision to compare the change with. */
    prompt_revid: field.text,
    /** The requested change as JSON text, since a schema has keys such as `$ref` that are not allowed in the database. */
    candidate: field.text,
    /** The `MeasuredSetup` as JSON text, with and without the change. */
    after: field.text,
    before: field.text,
    state: field.oneOf<EvaluationState>(),
    /** Present while it is queued or running. */
    active: field.mark.optional(),
    stop_requested: field.flag.default(false),
    total: field.number,
    /** The number of documents whose baseline must be run. */
    baselines_to_run: field.number,
    spu_estimated: field.number,
    /** The limit of this evaluation, in addition to the organization's budget. */
    spu_limit: field.number.orNull(),
    seal: field.text,
    turn_id: field.text.orNull(),
    call_id: field.text.orNull(),
    requested_by: field.objectId,
    lease: field.mixed<StoredLease>().optional(),
    claimed_at: field.date.optional(),
    attempts: field.number.optional(),
    created_at: field.date,
    started_at: field.date.orNull(),
    ended_at: field.date.orNull(),
    error: field.mixed<EvaluationFailure>().orNull(),
  },
  { collection: 'evaluations', keepsEmptyObjects: true },
);
evaluationSchema.index({ organization_id: 1, _id: -1 });
evaluationSchema.index({ organization_id: 1, prompt_id: 1, _id: -1 });
evaluationSchema.index({ active: 1, _id: 1 }, { sparse: true });
evaluationSchema.index({ call_id: 1 }, { sparse: true });

const evaluatedDocumentSchema = recordSchema(
  {
    organization_id: field.objectId,
    evaluation_id: field.objectId,
    document_id: field.objectId,
    /** The revision and version of its verified result. */
    prompt_revid: field.text,
    version: field.number,
    /** Its place in the evaluation. */
    position: field.number,
    state: field.oneOf<EvaluatedDocumentState>(),
    /** The claim under which it is measured. A worker that has lost it cannot write here. */
    token: field.text.orNull(),
    /** The results before and after the change as JSON text, stored at once so that a paid run is not repeated. */
    before: field.text.orNull(),
    after: field.text.orNull(),
    /** The estimated and the actual cost. */
    spu_estimated: field.number,
    spu: field.number.default(0),
    /** JSON text once it is done: the counts, those of each field, the differences, and their number by kind and field. */
    counts: field.text.orNull(),
    fields: field.text.orNull(),
    differences: field.text.orNull(),
    difference_counts: field.text.orNull(),
    /** Whether the release policy would release its result; absent without an active policy. */
    release: field.mixed<{ before: boolean; after: boolean }>().optional(),
    error: field.mixed<EvaluationFailure>().orNull(),
  },
  { collection: 'evaluation_documents', keepsEmptyObjects: true },
);
evaluatedDocumentSchema.index({ evaluation_id: 1, document_id: 1 }, { unique: true });
evaluatedDocumentSchema.index({ evaluation_id: 1, position: 1 });
evaluatedDocumentSchema.index({ organization_id: 1, document_id: 1 });

export const evaluationModel = modelOf('Evaluation', evaluationSchema);

export const evaluatedDocumentModel = modelOf('EvaluatedDocument', evaluatedDocumentSchema);
