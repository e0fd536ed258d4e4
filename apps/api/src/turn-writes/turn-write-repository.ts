import mongoose, { type Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../platform/database/page.ts';
import type { WriteOrigin } from './write-origin.ts';
import { turnWriteModel, undoOfferedMs, type TurnWriteRecord, type WrittenKind } from './turn-write-model.ts';
import { expiringOwner, recordBytes, storedBytesOf } from '../platform/database/stored-bytes/stored-bytes.ts';

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

interface RecordHistory extends PageEnd {
  writes: (TurnWrite & { at: Date; userId?: string })[];
}

/** The previous states of written records, in one organization. */
export type TurnWriteRepository = ReturnType<ReturnType<typeof createTurnWriteRepositories>>;

/** Creates the repository of each organization. */
export function createTurnWriteRepositories(connection: Connection) {
  const model = turnWriteModel(connection);
  const storedBytes = storedBytesOf(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    return {
      /**
       * Notes the state of a record right before a call changes it. Writes outside of turns are not noted. A call that is
       * repeated after a crash notes the state again; the record itself names the calls that wrote it.
       */
      async note(
        origin: WriteOrigin | undefined,
        { recordId, documentId, before, ...write }: NewTurnWrite,
      ): Promise<void> {
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
        const { audit_entry } = origin;
        const due = audit_entry === undefined ? {} : { audit_entry, unrecorded_since: set.at };
        await model.updateOne(
          { organization_id, call_id: origin.call_id },
          { $set: { ...set, ...due } },
          { upsert: true },
        );
        // One that waits for its review has the rest of its days after it.
        storedBytes.add(
          organizationId,
          expiringOwner(set.expires_at ?? new Date(Date.now() + undoOfferedMs)),
          recordBytes(set),
        );
      },
      /** Newest first. */
      async ofTurns(turnIds: readonly string[]): Promise<TurnWrite[]> {
        const filter = { organization_id, turn_id: { $in: [...turnIds] } };
        const records = await model.find(filter).sort(newestFirst).lean();
        return records.map(toTurnWrite);
      },
      /** The author and time of the last noted write to a record. */
      async lastChangeOf(kind: WrittenKind, recordId: string): Promise<{ userId: string; at: Date } | undefined> {
        const last = await model.findOne({ organization_id, kind, thing_id: recordId }).sort(newestFirst).lean();
        return last?.user_id === undefined ? undefined : { userId: last.user_id, at: last.at };
      },
      /** The writes of one record, newest first, with their time and author. */
      async ofRecord(kind: WrittenKind, recordId: string, page: PageSelection): Promise<RecordHistory> {
        const filter = { organization_id, kind, thing_id: recordId };
        const { records, end } = await readPage(model, filter, { ...page, sort: newestFirst });
        const writes = records.map((record) => ({
          ...toTurnWrite(record),
          at: record.at,
          ...(record.user_id !== undefined && { userId: record.user_id }),
        }));
        return { writes, ...end };
      },
      async ofCall(callId: string): Promise<TurnWrite | undefined> {
        const record = await model.findOne({ organization_id, call_id: callId, turn_id: { $exists: true } }).lean();
        return record === null ? undefined : toTurnWrite(record);
      },
      /** Removes noted content of a document; the notes themselves stay. */
      async forgetDocument(documentId: string): Promise<void> {
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
    kind: record.kind as WrittenKind,
    recordId: record.thing_id,
    before: JSON.parse(record.before),
    base: record.base,
  };
}
