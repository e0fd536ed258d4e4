import mongoose, { type Connection } from 'mongoose';
import type { WriteOrigin } from './write-origin.ts';
import { turnWriteModel, undoOfferedMs, type TurnWriteRecord, type WrittenKind } from './turn-write-model.ts';

/** A turn's write and the record's state before it; `before` is null if the record did not exist. */
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

/** The noted writes of one organization. */
export interface TurnWriteRepository {
  /**
   * Notes a record's state right before a call changes it; does nothing outside of a turn. A call that was killed
   * before its write notes the state again. Whether it wrote is stored in the record itself.
   */
  note(origin: WriteOrigin | undefined, write: NewTurnWrite): Promise<void>;
  /** Newest first. */
  ofTurns(turnIds: readonly string[]): Promise<TurnWrite[]>;
  /** The user of the record's last noted change. */
  lastChangeOf(kind: WrittenKind, recordId: string): Promise<{ userId: string; at: Date } | undefined>;
  ofCall(callId: string): Promise<TurnWrite | undefined>;
  /** Clears the states that contain a document's content; the writes stay noted. */
  forgetDocument(documentId: string): Promise<void>;
}

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
          ...(recordId === undefined ? {} : { thing_id: recordId }),
          ...(documentId === undefined ? {} : { document_id: documentId }),
          before: JSON.stringify(before),
          at: new Date(),
          ...(origin.user_id === undefined ? {} : { user_id: origin.user_id }),
          ...(origin.for_review !== true && { expires_at: new Date(Date.now() + undoOfferedMs) }),
        };
        await model.updateOne({ call_id: origin.call_id }, { $set: set }, { upsert: true });
      },
      async ofTurns(turnIds) {
        const filter = { organization_id, turn_id: { $in: [...turnIds] } };
        const records = await model.find(filter).sort({ at: -1, _id: -1 }).lean();
        return records.map(present);
      },
      async lastChangeOf(kind, recordId) {
        const found = await model
          .findOne({ organization_id, kind, thing_id: recordId })
          .sort({ at: -1, _id: -1 })
          .lean();
        return found?.user_id === undefined ? undefined : { userId: found.user_id, at: found.at };
      },
      async ofCall(callId) {
        const record = await model.findOne({ organization_id, call_id: callId }).lean();
        return record === null ? undefined : present(record);
      },
      async forgetDocument(documentId) {
        const filter = { organization_id, document_id: documentId.toLowerCase() };
        await model.updateMany(filter, { $set: { before: 'null' } });
      },
    };
  };
}

function present(record: TurnWriteRecord): TurnWrite {
  return {
    callId: record.call_id,
    tool: record.tool,
    kind: record.kind,
    recordId: record.thing_id,
    before: JSON.parse(record.before),
    base: record.base,
  };
}
