import mongoose, { type Connection } from 'mongoose';
import { createClaimsInTurn, isGivenUp, noAttempts } from '../../../platform/leases/claims-in-turn.ts';
import { createLeases, leaseFields } from '../../../platform/leases/leases.ts';
import type { EvaluatedDocument } from '../records/evaluated-document.ts';
import {
  evaluatedDocumentModel,
  evaluationModel,
  type EvaluationFailure,
  type EvaluationRecord,
} from '../records/evaluation-model.ts';
import { storedEvaluation, type StoredEvaluation } from '../records/evaluation-repository.ts';

/** An evaluation that this process runs. */
export interface EvaluationClaim {
  evaluation: StoredEvaluation;
  token: string;
}

/** A document to be measured. */
export interface DocumentToMeasure {
  document_id: string;
  prompt_revid: string;
  version: number;
  spu_estimated: number;
  /** The results before and after the change, if they are already stored. */
  before: unknown;
  after: unknown;
}

/** How long a claim is valid without a renewal, by the database's clock. */
const claimMs = 15_000;

/** The active evaluations of all organizations. Writes return false, and change nothing, if the claim is lost. */
export type EvaluationWorkRepository = ReturnType<typeof createEvaluationWorkRepository>;

export function createEvaluationWorkRepository(connection: Connection, leaseMs = claimMs) {
  const evaluations = evaluationModel(connection);
  const evaluated = evaluatedDocumentModel(connection);
  const leases = createLeases<EvaluationRecord>(evaluations.collection, leaseFields);
  const claimInTurn = createClaimsInTurn(evaluations.collection, leases);
  const active = ({ evaluation }: EvaluationClaim) => ({
    _id: new mongoose.Types.ObjectId(evaluation.id),
    active: true as const,
  });
  const ofClaim = ({ evaluation }: EvaluationClaim) => ({ evaluation_id: new mongoose.Types.ObjectId(evaluation.id) });

  /** Claims with a document that is measured, or a part of it: the evaluation is not given up for those before. */
  const progressed = new WeakSet<EvaluationClaim>();

  /** Changes a waiting document, for the holder of the claim only. */
  async function write(claim: EvaluationClaim, documentId: string, set: object, spu: number): Promise<boolean> {
    const document_id = new mongoose.Types.ObjectId(documentId);
    const which = { ...ofClaim(claim), document_id, state: 'waiting' as const, token: claim.token };
    const isWritten = (await evaluated.updateOne(which, { $set: set, $inc: { spu } })).matchedCount === 1;
    if (isWritten && !progressed.has(claim)) {
      progressed.add(claim);
      await leases.write(active(claim), claim.token, { $set: noAttempts });
    }
    return isWritten;
  }

  return {
    /** Claims the next one without a valid claim. Organizations take turns. */
    async claim(): Promise<EvaluationClaim | undefined> {
      const set = { state: { $literal: 'running' }, started_at: { $ifNull: ['$started_at', '$$NOW'] } };
      for (;;) {
        const claimed = await claimInTurn({ active: true }, { milliseconds: leaseMs, set });
        if (claimed === undefined) return undefined;
        const evaluation = isGivenUp(claimed.record) ? undefined : soundEvaluation(claimed.record);
        if (evaluation !== undefined) return { evaluation, token: claimed.token };
        await leases.release({ _id: claimed.record._id }, claimed.token, ended('failed', givenUp));
      }
    },
    /** `isHeld` is false if another process has the evaluation. */
    async renew(claim: EvaluationClaim): Promise<{ isHeld: boolean; isStopRequested: boolean }> {
      const record = await leases.renew(active(claim), claim.token, leaseMs);
      return { isHeld: record !== undefined, isStopRequested: record?.stop_requested === true };
    },
    /** The documents to be measured, which only this claim can write from now on. */
    async waiting(claim: EvaluationClaim): Promise<DocumentToMeasure[]> {
      const waiting = { ...ofClaim(claim), state: 'waiting' as const };
      await evaluated.updateMany(waiting, { $set: { token: claim.token } });
      const records = await evaluated
        .find(waiting, { document_id: 1, prompt_revid: 1, version: 1, spu_estimated: 1, before: 1, after: 1 })
        .sort({ position: 1 })
        .lean();
      return records.map(({ document_id, before, after, prompt_revid, version, spu_estimated }) => ({
        document_id: document_id.toHexString(),
        prompt_revid,
        version,
        spu_estimated,
        before: before === null ? undefined : JSON.parse(before),
        // Evaluations of an earlier release do not have this field.
        after: typeof after === 'string' ? JSON.parse(after) : undefined,
      }));
    },
    async spuUsed(claim: EvaluationClaim): Promise<number> {
      const records = await evaluated.find(ofClaim(claim), { spu: 1 }).lean();
      return records.reduce((sum, { spu }) => sum + spu, 0);
    },
    /** Stores the answer of a model before or after the change, with its cost. */
    saveAnswer(
      claim: EvaluationClaim,
      documentId: string,
      answer: { before: unknown } | { after: unknown },
      spu: number,
    ): Promise<boolean> {
      const set = Object.fromEntries(Object.entries(answer).map(([side, result]) => [side, JSON.stringify(result)]));
      return write(claim, documentId, set, spu);
    },
    /** Stores the cost of a document without a measurement. */
    saveSpu: (claim: EvaluationClaim, documentId: string, spu: number): Promise<boolean> =>
      write(claim, documentId, {}, spu),
    saveDone(
      claim: EvaluationClaim,
      documentId: string,
      { counts, fields, differences, differenceCounts, release }: EvaluatedDocument,
    ): Promise<boolean> {
      const set = {
        state: 'done' as const,
        counts: JSON.stringify(counts),
        fields: JSON.stringify(fields),
        differences: JSON.stringify(differences),
        difference_counts: JSON.stringify(differenceCounts),
        ...(release && { release }),
      };
      // The differences have the compared values; the whole results are no longer needed.
      return write(claim, documentId, { ...set, before: null, after: null }, 0);
    },
    saveFailed: (claim: EvaluationClaim, documentId: string, error: EvaluationFailure, spu: number): Promise<boolean> =>
      write(claim, documentId, { state: 'failed' as const, error, before: null, after: null }, spu),
    countDone: (claim: EvaluationClaim): Promise<number> =>
      evaluated.countDocuments({ ...ofClaim(claim), state: 'done' }),
    async firstFailure(claim: EvaluationClaim): Promise<EvaluationFailure | undefined> {
      const found = await evaluated.findOne({ ...ofClaim(claim), state: 'failed' }, { error: 1 }).sort({ position: 1 });
      return found?.error ?? undefined;
    },
    async finish(
      claim: EvaluationClaim,
      state: 'completed' | 'stopped' | 'failed',
      error: EvaluationFailure | null,
    ): Promise<void> {
      await leases.release(active(claim), claim.token, ended(state, error));
    },
    /** Releases the claim, so that another process can resume. */
    async release(claim: EvaluationClaim): Promise<void> {
      await leases.release(active(claim), claim.token, { $set: noAttempts });
    },
  };
}

const ended = (state: 'completed' | 'stopped' | 'failed', error: EvaluationFailure | null) => ({
  $set: { state, error, ended_at: new Date() },
  $unset: { active: 1 as const },
});

const givenUp: EvaluationFailure = {
  code: 'internal_error',
  message: 'The evaluation failed several times on our side, or its record is damaged. Start it again.',
};

/** Undefined if the record is damaged. */
function soundEvaluation(record: EvaluationRecord): StoredEvaluation | undefined {
  try {
    return storedEvaluation(record);
  } catch {
    return undefined;
  }
}
