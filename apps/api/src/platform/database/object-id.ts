import mongoose, { type Types } from 'mongoose';

/** An id from outside as the database keeps it; undefined when it is no id, which then finds nothing. */
export function objectIdOf(id: string): Types.ObjectId | undefined {
  return /^[0-9a-f]{24}$/i.test(id) ? new mongoose.Types.ObjectId(id) : undefined;
}

/** An id that nothing has yet. */
export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

/** The ids among `ids` as the database keeps them. */
export function objectIdsOf(ids: readonly string[]): Types.ObjectId[] {
  return ids.flatMap((id) => objectIdOf(id) ?? []);
}
