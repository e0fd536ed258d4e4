import mongoose from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';

/** Names a turn. */
export interface TurnKey {
  organizationId: string;
  id: string;
}

/** What belongs to a turn, in collections that name it. */
export const ofTurn = ({ organizationId, id }: TurnKey) => ({
  organization_id: new mongoose.Types.ObjectId(organizationId),
  turn_id: new mongoose.Types.ObjectId(id),
});

export const textOfKey = ({ organizationId, id }: TurnKey): string => `${organizationId}/${id}`;

/** The key of a stored turn. */
export const keyOfRecord = (turn: {
  organization_id: mongoose.Types.ObjectId;
  _id: mongoose.Types.ObjectId;
}): TurnKey => ({
  organizationId: turn.organization_id.toHexString(),
  id: turn._id.toHexString(),
});

export function keyOfText(text: string): TurnKey {
  const [organizationId = '', id = ''] = text.split('/');
  return { organizationId, id };
}

/** Finds these turns. A malformed id finds nothing. */
export function amongTurns(keys: readonly TurnKey[]) {
  const organizationIds = [...new Set(keys.map(({ organizationId }) => organizationId))];
  return {
    organization_id: { $in: objectIdsOf(organizationIds) },
    _id: { $in: objectIdsOf(keys.map(({ id }) => id)) },
  };
}
