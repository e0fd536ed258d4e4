import type { EvaluationCandidate } from '@docwright/contract';
import type { Counts, FieldTotals } from '@docwright/scorer';
import mongoose, { type Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../../platform/database/page.ts';
import { objectIdOf } from '../../../platform/database/object-id.ts';
import {
  evaluatedDocumentModel,
  evaluationModel,
  type EvaluatedDocumentRecord,
  type EvaluationFailure,
  type EvaluationRecord,
  type MeasuredSetup,
} from './evaluation-model.ts';
import type { StoredDifference } from './evaluated-document.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';

export interface StoredEvaluation extends Omit<
  EvaluationRecord,
  '_id' | 'organization_id' | 'requested_by' | 'candidate' | 'after' | 'before' | 'lease'
> {
  id: string;
  organizationId: string;
  requested_by: string;
  candidate: EvaluationCandidate;
  after: MeasuredSetup;
  before: MeasuredSetup;
}

interface NewEvaluation extends Pick<
  StoredEvaluation,
  | 'prompt_id'
  | 'prompt_revid'
  | 'candidate'
  | 'after'
  | 'before'
  | 'spu_estimated'
  | 'spu_limit'
  | 'seal'
  | 'turn_id'
  | 'call_id'
  | 'requested_by'
> {
  id?: string | undefined;
  /** `before` is present if the baseline needs no run. */
  documents: { document_id: string; prompt_revid: string; version: number; spu_estimated: number; before?: unknown }[];
}

/** The figures of one document, without its values. */
export interface MeasuredDocument {
  document_id: string;
  prompt_revid: string;
  state: EvaluatedDocumentRecord['state'];
  spu: number;
  counts: Counts | undefined;
  fields: FieldTotals[];
  /** The number of differences by kind and field: `{ broken: { "total": 1 } }`. */
  differenceCounts: Record<string, Record<string, number>>;
  release?: { before: boolean; after: boolean };
  error: EvaluationFailure | null;
}

/** The evaluations of one organization. A malformed id finds nothing. */
export type EvaluationRepository = ReturnType<ReturnType<typeof createEvaluationRepositories>>;

export function createEvaluationRepositories(connection: Connection) {
  const evaluations = evaluationModel(connection);
  const evaluated = evaluatedDocumentModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string) => {
      const _id = objectIdOf(id);
      return _id && { _id, organization_id };
    };

    return {
      async insert({
        id,
        documents,
        candidate,
        after,
        before,
        requested_by,
        ...rest
      }: NewEvaluation): Promise<StoredEvaluation> {
        const _id = new mongoose.Types.ObjectId(id);
        const record: EvaluationRecord = {
          _id,
          organization_id,
          ...rest,
          candidate: JSON.stringify(candidate),
          after: JSON.stringify(after),
          before: JSON.stringify(before),
          requested_by: new mongoose.Types.ObjectId(requested_by),
          state: 'queued',
          active: true,
          stop_requested: false,
          total: documents.length,
          baselines_to_run: documents.filter((document) => document.before === undefined).length,
          created_at: new Date(),
          started_at: null,
          ended_at: null,
          error: null,
        };
        // Inserts the documents first, so that a stored evaluation always has all of them.
        await evaluated.insertMany(
          documents.map((document, position) => ({
            organization_id,
            evaluation_id: _id,
            document_id: new mongoose.Types.ObjectId(document.document_id),
            prompt_revid: document.prompt_revid,
            version: document.version,
            spu_estimated: document.spu_estimated,
            position,
            state: 'waiting' as const,
            before: document.before === undefined ? null : JSON.stringify(document.before),
          })),
        );
        await evaluations.create(record);
        return storedEvaluation(record);
      },
      async get(id: string): Promise<StoredEvaluation | undefined> {
        const filter = one(id);
        const record = filter && (await evaluations.findOne(filter).lean());
        return record ? storedEvaluation(record) : undefined;
      },
      /** Newest first. */
      async list({
        prompt_id,
        ...page
      }: PageSelection & { prompt_id?: string | undefined }): Promise<{ evaluations: StoredEvaluation[] } & PageEnd> {
        const filter = { organization_id, ...(prompt_id === undefined ? {} : { prompt_id }) };
        const { records, end } = await readPage(evaluations, filter, { ...page, sort: { _id: -1 } });
        return { evaluations: presentEach(records, storedEvaluation), ...end };
      },
      /** The evaluations of an agent's calls, newest first. */
      async ofCalls(callIds: readonly string[]): Promise<StoredEvaluation[]> {
        if (callIds.length === 0) return [];
        const filter = { organization_id, call_id: { $in: [...callIds] } };
        return (await evaluations.find(filter).sort({ _id: -1 }).limit(500).lean()).map(storedEvaluation);
      },
      countActive: (): Promise<number> => evaluations.countDocuments({ organization_id, active: true }),
      /** In the order of the evaluation. */
      async documents(id: string): Promise<MeasuredDocument[]> {
        const evaluation_id = objectIdOf(id);
        if (!evaluation_id) return [];
        const records = await evaluated
          .find({ evaluation_id, organization_id }, { before: 0, after: 0, differences: 0 })
          .sort({ position: 1 })
          .lean();
        return records.map(measuredDocument);
      },
      async differences(id: string, documentId: string): Promise<StoredDifference[]> {
        const [evaluation_id, document_id] = [objectIdOf(id), objectIdOf(documentId)];
        if (!evaluation_id || !document_id) return [];
        const found = await evaluated
          .findOne({ evaluation_id, document_id, organization_id }, { differences: 1 })
          .lean();
        return found?.differences == null ? [] : (JSON.parse(found.differences) as StoredDifference[]);
      },
      /** Returns false if it has ended. */
      async requestStop(id: string): Promise<boolean> {
        const filter = one(id);
        if (!filter) return false;
        const { matchedCount } = await evaluations.updateOne(
          { ...filter, active: true },
          { $set: { stop_requested: true } },
        );
        return matchedCount === 1;
      },
      /** Removes a document's values from evaluations. Its counts stay. */
      async forgetDocument(documentId: string): Promise<void> {
        const document_id = objectIdOf(documentId);
        if (!document_id) return;
        await evaluated.updateMany(
          { organization_id, document_id },
          { $set: { before: null, after: null, differences: null, difference_counts: null } },
        );
      },
    };
  };
}

export function storedEvaluation(record: EvaluationRecord): StoredEvaluation {
  const { _id, organization_id, requested_by, candidate, after, before, lease: _lease, ...rest } = record;
  return {
    ...rest,
    id: _id.toHexString(),
    organizationId: organization_id.toHexString(),
    requested_by: requested_by.toHexString(),
    candidate: JSON.parse(candidate),
    after: JSON.parse(after),
    before: JSON.parse(before),
  };
}

const measuredDocument = (
  record: Omit<EvaluatedDocumentRecord, 'before' | 'after' | 'differences'>,
): MeasuredDocument => ({
  document_id: record.document_id.toHexString(),
  prompt_revid: record.prompt_revid,
  state: record.state,
  spu: record.spu,
  counts: record.counts === null ? undefined : JSON.parse(record.counts),
  fields: record.fields === null ? [] : JSON.parse(record.fields),
  differenceCounts: record.difference_counts === null ? {} : JSON.parse(record.difference_counts),
  ...(record.release && { release: record.release }),
  error: record.error,
});
