import mongoose, { type Connection } from 'mongoose';
import { documentRunModel, expiresAt, type DocumentRunRecord } from './document-run-model.ts';

/** A document run that waits for a decision. */
export interface ParkedRun {
  id: string;
  organizationId: string;
  documentId: string;
  requestedBy: string;
  parkedTurn: string | undefined;
}

export type ParkedRunRepository = ReturnType<typeof createParkedRunRepository>;

const batchSize = 500;

export function createParkedRunRepository(connection: Connection) {
  const model = documentRunModel(connection);
  return {
    async get(id: string): Promise<ParkedRun | undefined> {
      const found = await model.findOne({ _id: new mongoose.Types.ObjectId(id) }, { log: 0 }).lean();
      return found === null ? undefined : present(found);
    },
    /** Requeues the run of a decided turn; false if it is not waiting. */
    async requeue(turnId: string): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        { parked_turn: turnId, state: 'waiting' },
        { $set: { state: 'queued', attempts: 0 } },
      );
      return modifiedCount === 1;
    },
    /** The next waiting runs after this one, by id, without damaged ones; `last` is undefined at their end. */
    async waiting(after: string | undefined): Promise<{ runs: ParkedRun[]; last: string | undefined }> {
      const later = after === undefined ? {} : { _id: { $gt: new mongoose.Types.ObjectId(after) } };
      const found = await model
        .find({ state: 'waiting', ...later }, { log: 0 })
        .sort({ _id: 1 })
        .limit(batchSize)
        .lean();
      const last = found.length < batchSize ? undefined : found.at(-1)?._id.toHexString();
      return { runs: found.flatMap((record) => (isSound(record) ? [present(record)] : [])), last };
    },
    /** Ends a waiting run; false if it no longer waits. */
    async end(id: string, state: 'failed' | 'cancelled', error: { code: string; message: string }): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        { _id: new mongoose.Types.ObjectId(id), state: 'waiting' },
        {
          $set: { state, error, ended_at: new Date(), is_unsettled: true, expires_at: expiresAt() },
          $unset: { auto_create_of: 1 },
        },
      );
      return modifiedCount === 1;
    },
  };
}

const isSound = ({ organization_id, document_id, requested_by }: Omit<DocumentRunRecord, 'log'>): boolean =>
  [organization_id, document_id].every((id) => id instanceof mongoose.Types.ObjectId) &&
  typeof requested_by === 'string';

function present({ _id, ...record }: Omit<DocumentRunRecord, 'log'>): ParkedRun {
  return {
    id: _id.toHexString(),
    organizationId: record.organization_id.toHexString(),
    documentId: record.document_id.toHexString(),
    requestedBy: record.requested_by,
    parkedTurn: record.parked_turn,
  };
}
