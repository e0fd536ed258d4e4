import type { Connection } from 'mongoose';
import { retryOnDuplicateKey } from '../../platform/database/connection.ts';
import type { Actor } from '../identity/index.ts';
import { turnRateModel } from './turn-rate-model.ts';

/** The turns of the current minute over all processes, including this one. */
interface TurnRate {
  user: number;
  organization: number;
  /** Seconds until the next minute starts. */
  endsInSeconds: number;
}

/** Counts turns of all processes, in one command each. */
export type CountTurn = (party: Pick<Actor, 'organizationId' | 'userId'>) => Promise<TurnRate>;

const minuteMs = 60_000;

export function createTurnCounter(connection: Connection, now = Date.now): CountTurn {
  const model = turnRateModel(connection);

  async function count({ organizationId, userId }: Parameters<CountTurn>[0], minute: number) {
    const update = {
      $inc: { count: 1, [`people.${userId}`]: 1 },
      $setOnInsert: { expires_at: new Date((minute + 2) * minuteMs) },
    };
    const options = { upsert: true, returnDocument: 'after' } as const;
    return await model.findOneAndUpdate({ _id: `${organizationId}/${minute}` }, update, options).lean();
  }

  return async (party) => {
    const time = now();
    const minute = Math.floor(time / minuteMs);
    const counted = await retryOnDuplicateKey(() => count(party, minute));
    return {
      user: counted.people[party.userId] ?? 0,
      organization: counted.count,
      endsInSeconds: Math.ceil(((minute + 1) * minuteMs - time) / 1000),
    };
  };
}
