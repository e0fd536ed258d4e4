import { randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { isOver, untilIn } from '../../platform/database/database-clock.ts';
import { isKnownDead, thisProcess } from '../../platform/leases/process-identity.ts';
import type { EvaluatedDocument } from './evaluated-document.ts';
import { evaluatedDocumentModel, evaluationModel, type EvaluationFailure } from './evaluation-model.ts';
import { storedEvaluation, type StoredEvaluation } from './evaluation-repository.ts';

/** An evaluation that this process works on. */
export interface EvaluationClaim {
  evaluation: StoredEvaluation;
  token: string;
}

/** A document that is still to be measured. */
export interface WaitingDocument {
  document_id: string;
  prompt_revid: string;
  version: number;
  spu_estimated: number;
  /** The result before the change, where it is known already. */
  before: unknown;
}

/** How long a claim holds without being renewed, by the database's clock. */
export const claimMs = 15_000;

/** The evaluations of all organizations that are to be worked on. */
export interface EvaluationWorkRepository {
  /** Takes the oldest that nobody works on. */
  claim(): Promise<EvaluationClaim | undefined>;
  /** `isHeld` is false where another process has it by now. */
  renew(claim: EvaluationClaim): Promise<{ isHeld: boolean; isStopRequested: boolean }>;
  waiting(claim: EvaluationClaim): Promise<WaitingDocument[]>;
  spuUsed(claim: EvaluationClaim): Promise<number>;
  /** Stores what the current revision answered: it was paid for. */
  saveBaseline(claim: EvaluationClaim, documentId: string, before: unknown, spu: number): Promise<void>;
  /** Stores what was paid for a document that is not measured. */
  saveSpu(claim: EvaluationClaim, documentId: string, spu: number): Promise<void>;
  saveDone(claim: EvaluationClaim, documentId: string, measured: EvaluatedDocument, spu: number): Promise<void>;
  saveFailed(claim: EvaluationClaim, documentId: string, error: EvaluationFailure, spu: number): Promise<void>;
  countDone(claim: EvaluationClaim): Promise<number>;
  firstFailure(claim: EvaluationClaim): Promise<EvaluationFailure | undefined>;
  end(
    claim: EvaluationClaim,
    state: 'completed' | 'stopped' | 'failed',
    error: EvaluationFailure | null,
  ): Promise<void>;
  /** Gives it back, for another process to go on with. */
  release(claim: EvaluationClaim): Promise<void>;
}

export function createEvaluationWorkRepository(connection: Connection, holdMs = claimMs): EvaluationWorkRepository {
  const evaluations = evaluationModel(connection);
  const evaluated = evaluatedDocumentModel(connection);
  const held = ({ evaluation, token }: EvaluationClaim) => ({
    _id: new mongoose.Types.ObjectId(evaluation.id),
    active: true as const,
    'lease.token': token,
  });
  const ofClaim = ({ evaluation }: EvaluationClaim) => ({ evaluation_id: new mongoose.Types.ObjectId(evaluation.id) });
  const waitingOf = (claim: EvaluationClaim, documentId: string) => ({
    ...ofClaim(claim),
    document_id: new mongoose.Types.ObjectId(documentId),
    state: 'waiting' as const,
  });

  async function take(whoseLease: object): Promise<EvaluationClaim | undefined> {
    const token = randomUUID();
    const lease = { token, until: untilIn(holdMs), holder: { $literal: thisProcess } };
    const record = await evaluations
      .findOneAndUpdate(
        { active: true, ...whoseLease },
        [{ $set: { lease, state: 'running', started_at: { $ifNull: ['$started_at', '$$NOW'] } } }],
        { updatePipeline: true, sort: { _id: 1 }, returnDocument: 'after' },
      )
      .lean();
    return record === null ? undefined : { evaluation: storedEvaluation(record), token };
  }

  async function takeFromDead(): Promise<EvaluationClaim | undefined> {
    const leased = await evaluations.find({ active: true, lease: { $ne: null } }, { lease: 1 }).lean();
    for (const { lease } of leased) {
      const taken = lease && isKnownDead(lease.holder) ? await take({ 'lease.token': lease.token }) : undefined;
      if (taken) return taken;
    }
    return undefined;
  }

  return {
    async claim() {
      const free = { $expr: { $or: [{ $eq: ['$lease', null] }, isOver('lease.until')] } };
      return (await take(free)) ?? (await takeFromDead());
    },
    async renew(claim) {
      const record = await evaluations
        .findOneAndUpdate(held(claim), [{ $set: { 'lease.until': untilIn(holdMs) } }], {
          updatePipeline: true,
          projection: { stop_requested: 1 },
        })
        .lean();
      return { isHeld: record !== null, isStopRequested: record?.stop_requested === true };
    },
    async waiting(claim) {
      const records = await evaluated
        .find(
          { ...ofClaim(claim), state: 'waiting' },
          { document_id: 1, prompt_revid: 1, version: 1, spu_estimated: 1, before: 1 },
        )
        .sort({ position: 1 })
        .lean();
      return records.map(({ document_id, before, ...rest }) => ({
        document_id: document_id.toHexString(),
        prompt_revid: rest.prompt_revid,
        version: rest.version,
        spu_estimated: rest.spu_estimated,
        before: before === null ? undefined : JSON.parse(before),
      }));
    },
    async spuUsed(claim) {
      const records = await evaluated.find(ofClaim(claim), { spu: 1 }).lean();
      return records.reduce((sum, { spu }) => sum + spu, 0);
    },
    async saveBaseline(claim, documentId, before, spu) {
      const set = { before: JSON.stringify(before) };
      await evaluated.updateOne(waitingOf(claim, documentId), { $set: set, $inc: { spu } });
    },
    async saveSpu(claim, documentId, spu) {
      if (spu > 0) await evaluated.updateOne(waitingOf(claim, documentId), { $inc: { spu } });
    },
    async saveDone(claim, documentId, { counts, fields, differences, differenceCounts }, spu) {
      const set = {
        state: 'done' as const,
        counts: JSON.stringify(counts),
        fields: JSON.stringify(fields),
        differences: JSON.stringify(differences),
        difference_counts: JSON.stringify(differenceCounts),
      };
      // What it was compared with is in the differences; the whole results are nobody's any more.
      await evaluated.updateOne(waitingOf(claim, documentId), { $set: { ...set, before: null }, $inc: { spu } });
    },
    async saveFailed(claim, documentId, error, spu) {
      const set = { state: 'failed' as const, error, before: null };
      await evaluated.updateOne(waitingOf(claim, documentId), { $set: set, $inc: { spu } });
    },
    countDone: (claim) => evaluated.countDocuments({ ...ofClaim(claim), state: 'done' }),
    async firstFailure(claim) {
      const found = await evaluated.findOne({ ...ofClaim(claim), state: 'failed' }, { error: 1 }).sort({ position: 1 });
      return found?.error ?? undefined;
    },
    async end(claim, state, error) {
      await evaluations.updateOne(held(claim), {
        $set: { state, error, ended_at: new Date() },
        $unset: { active: 1, lease: 1 },
      });
    },
    async release(claim) {
      await evaluations.updateOne(held(claim), { $set: { lease: null } });
    },
  };
}
