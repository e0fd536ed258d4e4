import mongoose, { type Connection } from 'mongoose';
import type { WriteOrigin } from './write-origin.ts';
import { turnWriteModel, undoOfferedMs, type TurnWriteRecord, type WrittenKind } from './turn-write-model.ts';
import { withTotal } from '../platform/database/with-total.ts';

/** A write of a turn with the state before it; `before` is null if the record did not exist. */
export interface TurnWrite {
  callId: string;
  tool: string;
  kind: WrittenKind;
  recordId: string | undefined;
  before: unknown;
  base: number;
}

/** A write without its origin. */
type NewTurnWrite = Omit<TurnWrite, 'callId' | 'recordId'> & { recordId?: string; documentId?: string };

interface RecordHistory {
  writes: (TurnWrite & { at: Date; userId?: string })[];
  total_count: number;
}

/** The previous states of written records, in one organization. */
export interface TurnWriteRepository {
  /**
   * Notes the state of a record right before a call changes it. Writes outside of turns are not noted. A call that is
   * repeated after a crash notes the state again; the record itself names the calls that wrote it.
   */
  note(origin: WriteOrigin | undefined, write: NewTurnWrite): Promise<void>;
  /** Newest first. */
  ofTurns(turnIds: readonly string[]): Promise<TurnWrite[]>;
  /** The author and time of the last noted write to a record. */
  lastChangeOf(kind: WrittenKind, recordId: string): Promise<{ userId: string; at: Date } | undefined>;
  /** The writes of one record, newest first, with their time and author. */
  ofRecord(kind: WrittenKind, recordId: string, page: { skip: number; limit: number }): Promise<RecordHistory>;
  ofCall(callId: string): Promise<TurnWrite | undefined>;
  /** Removes noted content of a document; the notes themselves stay. */
  forgetDocument(documentId: string): Promise<void>;
}

/** Creates the repository of each organization. */
export function createTurnWriteRepositories(connection: Connection): (organizationId: string) => TurnWriteRepository {
  const model = turnWriteModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async note(origin, { recordId, documentId, before, ...write }) {
        if (origin?.turn_id === undefined) return;
        const set = {
          ...write,
          organization_id,
          turn_id: origin.turn_id,
          ...(recordId !== undefined && { thing_id: recordId }),
          ...(documentId !== undefined && { document_id: documentId }),
          before: JSON.stringify(before),
          at: new Date(),
          ...(origin.user_id !== undefined && { user_id: origin.user_id }),
          ...(origin.for_review !== true && { expires_at: new Date(Date.now() + undoOfferedMs) }),
        };
        await model.updateOne({ call_id: origin.call_id }, { $set: set }, { upsert: true });
      },
      async ofTurns(turnIds) {
        const filter = { organization_id, turn_id: { $in: [...turnIds] } };
        const records = await model.find(filter).sort(newestFirst).lean();
        return records.map(toTurnWrite);
      },
      async lastChangeOf(kind, recordId) {
        const last = await model.findOne({ organization_id, kind, thing_id: recordId }).sort(newestFirst).lean();
        return last?.user_id === undefined ? undefined : { userId: last.user_id, at: last.at };
      },
      async ofRecord(kind, recordId, { skip, limit }) {
        const filter = { organization_id, kind, thing_id: recordId };
        const [records, total_count] = await withTotal(
          model.find(filter).sort(newestFirst).skip(skip).limit(limit).lean(),
          { skip, limit },
          () => model.countDocuments(filter),
        );
        const writes = records.map((record) => ({
          ...toTurnWrite(record),
          at: record.at,
          ...(record.user_id !== undefined && { userId: record.user_id }),
        }));
        return { writes, total_count };
      },
      async ofCall(callId) {
        const record = await model.findOne({ organization_id, call_id: callId }).lean();
        return record === null ? undefined : toTurnWrite(record);
      },
      async forgetDocument(documentId) {
        const filter = { organization_id, document_id: documentId.toLowerCase() };
        await model.updateMany(filter, { $set: { before: 'null' } });
      },
    };
  };
}

const newestFirst = { at: -1, _id: -1 } as const;

function toTurnWrite(record: TurnWriteRecord): TurnWrite {
  return {
    callId: record.call_id,
    tool: record.tool,
    kind: record.kind,
    recordId: record.thing_id,
    before: JSON.parse(record.before),
    base: record.base,
  };
}
