import type { Connection } from 'mongoose';
import { turnWriteModel, type TurnWriteRecord } from './turn-write-model.ts';

const maxAtOnce = 20;

/** A noted write that may have no entry in the audit log yet. */
export type UnrecordedWrite = Pick<
  TurnWriteRecord,
  '_id' | 'organization_id' | 'call_id' | 'kind' | 'audit_entry' | 'unrecorded_since'
>;

/** The notes of all organizations whose entry in the audit log is due. */
export function createUnrecordedWrites(connection: Connection) {
  const model = turnWriteModel(connection);
  return {
    /** Those that were noted before. A batch is of one organization or of several. */
    async *notedBefore(time: Date): AsyncGenerator<UnrecordedWrite[]> {
      const due = model
        .find(
          { unrecorded_since: { $lte: time } },
          { organization_id: 1, call_id: 1, kind: 1, audit_entry: 1, unrecorded_since: 1 },
        )
        .sort({ unrecorded_since: 1 })
        .lean();
      let batch: UnrecordedWrite[] = [];
      for await (const note of due.cursor({ batchSize: maxAtOnce })) {
        batch.push(note);
        if (batch.length < maxAtOnce) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    /** The log has the entry, or the write was never made. */
    async settle(notes: readonly UnrecordedWrite[]): Promise<void> {
      if (notes.length === 0) return;
      const _id = { $in: notes.map((note) => note._id) };
      await model.updateMany({ _id }, { $unset: { audit_entry: 1, unrecorded_since: 1 } });
    },
  };
}
