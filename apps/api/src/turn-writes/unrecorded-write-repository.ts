import mongoose, { type Connection } from 'mongoose';
import { objectIdOf } from '../platform/database/object-id.ts';
import { turnWriteModel, undoOfferedMs, type NotedKind, type TurnWriteRecord } from './turn-write-model.ts';

const maxAtOnce = 20;
/** Notes that undo does not read. */
const forLogAlone = { turn_id: { $exists: false } } as const;
const isForLogAlone = ({ turn_id }: Pick<TurnWriteRecord, 'turn_id'>): boolean => turn_id === undefined;

/** A noted write that may have no entry in the audit log yet. */
export type UnrecordedWrite = Pick<
  TurnWriteRecord,
  '_id' | 'organization_id' | 'call_id' | 'kind' | 'thing_id' | 'turn_id' | 'audit_entry' | 'unrecorded_since'
>;

/** A write that cannot be undone, right before it is made. */
export interface NewUnrecordedWrite {
  callId: string;
  tool: string;
  kind: NotedKind;
  /** The record that it makes or removes. */
  recordId?: string | undefined;
  /** The entry of the audit log, as JSON. */
  entry: string;
}

export type UnrecordedWrites = ReturnType<typeof createUnrecordedWrites>;

/** The notes of all organizations whose entry in the audit log is due. */
export function createUnrecordedWrites(connection: Connection) {
  const model = turnWriteModel(connection);
  return {
    async add(organizationId: string, writes: readonly NewUnrecordedWrite[]): Promise<void> {
      const at = new Date();
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      const expires_at = new Date(at.getTime() + undoOfferedMs);
      await model.insertMany(
        writes.map(({ callId, tool, kind, recordId, entry }) => ({
          organization_id,
          call_id: callId,
          tool,
          kind,
          ...(recordId !== undefined && { thing_id: recordId }),
          before: 'null',
          base: 0,
          at,
          audit_entry: entry,
          unrecorded_since: at,
          expires_at,
        })),
      );
    },
    /** They are not made. */
    async withdraw(organizationId: string, callIds: readonly string[]): Promise<void> {
      const organization_id = new mongoose.Types.ObjectId(organizationId);
      await model.deleteMany({ organization_id, call_id: { $in: [...callIds] }, ...forLogAlone });
    },
    /** Those that were noted before. A batch is of one organization or of several. */
    async *notedBefore(time: Date): AsyncGenerator<UnrecordedWrite[]> {
      const due = model
        .find(
          { unrecorded_since: { $lte: time } },
          { organization_id: 1, call_id: 1, kind: 1, thing_id: 1, turn_id: 1, audit_entry: 1, unrecorded_since: 1 },
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
      const [done, stillForUndo] = [notes.filter(isForLogAlone), notes.filter((note) => !isForLogAlone(note))].map(
        (each) => each.map((note) => note._id),
      ) as [TurnWriteRecord['_id'][], TurnWriteRecord['_id'][]];
      if (done.length > 0) await model.deleteMany({ _id: { $in: done }, ...forLogAlone });
      if (stillForUndo.length === 0) return;
      const change = { $unset: { audit_entry: 1, unrecorded_since: 1 } } as const;
      await model.updateMany({ _id: { $in: stillForUndo } }, change);
    },
  };
}

interface NotedRecord {
  _id: mongoose.Types.ObjectId;
  organization_id: mongoose.Types.ObjectId;
  deleted_at?: Date | null;
  applied_calls?: string[];
  /** The run that a bulk job is. */
  run_id?: unknown;
}

/** Finds the record that shows a write which undo does not know: of documents, runs, evaluations and bulk jobs. */
export function createNotedRecords(connection: Connection) {
  return async (
    collection: 'documents' | 'runs' | 'evaluations' | 'document_bulk_jobs',
    organizationId: string,
    { thing_id }: Pick<UnrecordedWrite, 'thing_id'>,
  ): Promise<NotedRecord | undefined> => {
    const _id = objectIdOf(thing_id ?? '');
    if (_id === undefined) return undefined;
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const projection = { deleted_at: 1, applied_calls: 1, run_id: 1 };
    const records = connection.collection<NotedRecord>(collection);
    return (await records.findOne({ _id, organization_id }, { projection })) ?? undefined;
  };
}
