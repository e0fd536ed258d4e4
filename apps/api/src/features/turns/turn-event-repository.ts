import mongoose, { type Connection } from 'mongoose';
import { createGroupedWrites } from '../../platform/database/grouped-writes.ts';
import { readTogether } from '../../platform/database/joint-reads.ts';
import { writeOf, type JointWrite } from '../../platform/database/joint-writes.ts';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { namedOrUnnamed } from '../../platform/database/unnamed-organization.ts';
import { turnEventsModel } from './turn-event-model.ts';
import type { TurnKey } from './turn-model.ts';

/** Consecutive frames, from the id `first` to the id `last`. */
export interface StoredFrames {
  first: number;
  last: number;
  frames: string;
}

/** The events of turns, for a replay after a restart or in another process; they expire. */
export type TurnEventRepository = ReturnType<typeof createTurnEventRepository>;

const batchesPerRead = 8;

export function createTurnEventRepository(connection: Connection, { keptMs }: { keptMs: number }) {
  const model = turnEventsModel(connection);
  const write = createGroupedWrites(model);
  /** The events of a turn. A malformed id matches nothing. */
  const ofTurn = ({ organizationId, id }: TurnKey) => ({
    organization_id: namedOrUnnamed(new mongoose.Types.ObjectId(organizationId)),
    turn_id: { $in: objectIdsOf([id]) },
  });
  function updates(turn: TurnKey, batches: readonly StoredFrames[]) {
    const expires_at = new Date(Date.now() + keptMs);
    const organization_id = new mongoose.Types.ObjectId(turn.organizationId);
    const turn_id = new mongoose.Types.ObjectId(turn.id);
    return batches.map(({ first, last, frames }) => ({
      updateOne: {
        filter: { organization_id: namedOrUnnamed(organization_id), turn_id, first_id: first },
        update: { $set: { organization_id, last_id: last, frames, expires_at } },
        upsert: true,
      },
    }));
  }

  return {
    /** Stores frames; replaces a stored range with the same start. */
    append: async (turn: TurnKey, batches: readonly StoredFrames[]): Promise<void> => write(updates(turn, batches)),
    /** The writes of `append`. */
    appending: (turn: TurnKey, batches: readonly StoredFrames[]): JointWrite[] =>
      updates(turn, batches).map((update) => writeOf(model, update)),
    /** The next frames after an id, at most a few batches; undefined if there are none. */
    async after(turn: TurnKey, id: number): Promise<{ last: number; frames: string } | undefined> {
      const found = await model
        .find({ ...ofTurn(turn), last_id: { $gt: id } })
        .sort({ first_id: 1 })
        .limit(batchesPerRead)
        .lean();
      let last = id;
      let frames = '';
      for (const batch of found) {
        if (batch.last_id <= last) continue;
        frames += framesAfter(batch.frames, Math.max(0, last + 1 - batch.first_id));
        last = batch.last_id;
      }
      return frames === '' ? undefined : { last, frames };
    },
    /** The id of the last stored event; 0 without one. */
    async lastId(turn: TurnKey): Promise<number> {
      const last = { projection: { last_id: 1 }, sort: { first_id: -1 }, limit: 1 } as const;
      const [found] = await readTogether(model, ofTurn(turn), last);
      return found?.last_id ?? 0;
    },
  };
}

const frameEnd = '\n\n';

function framesAfter(frames: string, skipped: number): string {
  let from = 0;
  for (let frame = 0; frame < skipped; frame += 1) from = frames.indexOf(frameEnd, from) + frameEnd.length;
  return frames.slice(from);
}
