import mongoose, { type Connection } from 'mongoose';
import type { WriteOrigin } from './write-origin.ts';
import { turnWriteModel, undoOfferedMs, type TurnWriteRecord, type WrittenKind } from './turn-write-model.ts';

/** A write of a turn: what it was to change, and how that stood before. `before` is null where there was nothing. */
export interface TurnWrite {
  callId: string;
  tool: string;
  kind: WrittenKind;
  thingId: string | undefined;
  before: unknown;
  base: number;
}

/** Everything about a write but where it comes from. */
type NewTurnWrite = Omit<TurnWrite, 'callId' | 'thingId'> & { thingId?: string; documentId?: string };

/** The way back of each write, of one organization. */
export interface TurnWriteRepository {
  /**
   * Notes how a thing is, right before a call changes it. A write outside of a turn is not noted. A call that was killed
   * before its write notes again what it finds then; whether it wrote is said by the thing itself.
   */
  note(origin: WriteOrigin | undefined, write: NewTurnWrite): Promise<void>;
  /** The newest first. */
  ofTurns(turnIds: readonly string[]): Promise<TurnWrite[]>;
  /** Who changed a thing last, as far as it was noted. */
  lastOn(kind: WrittenKind, thingId: string): Promise<{ userId: string; at: Date } | undefined>;
  ofCall(callId: string): Promise<TurnWrite | undefined>;
  /** What holds content of a document goes with it; that there was a write stays. */
  forgetDocument(documentId: string): Promise<void>;
}

/** The writes of each organization. */
export function createTurnWriteRepositories(connection: Connection): (organizationId: string) => TurnWriteRepository {
  const model = turnWriteModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      async note(origin, { thingId, documentId, before, ...write }) {
        if (origin?.turn_id === undefined) return;
        const set = {
          ...write,
          organization_id,
          turn_id: origin.turn_id,
          ...(thingId === undefined ? {} : { thing_id: thingId }),
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
      async lastOn(kind, thingId) {
        const found = await model
          .findOne({ organization_id, kind, thing_id: thingId })
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
    thingId: record.thing_id,
    before: JSON.parse(record.before),
    base: record.base,
  };
}
