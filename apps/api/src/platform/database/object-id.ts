import mongoose, { type Types } from 'mongoose';

/** An id from outside as an ObjectId; undefined if it is malformed, and therefore matches no record. */
export function objectIdOf(id: string): Types.ObjectId | undefined {
  return /^[0-9a-f]{24}$/i.test(id) ? new mongoose.Types.ObjectId(id) : undefined;
}

export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

export function objectIdsOf(ids: readonly string[]): Types.ObjectId[] {
  return ids.flatMap((id) => objectIdOf(id) ?? []);
}

/** The part of a filter that leaves out these records. */
export function exceptIds(ids: readonly string[]): { _id?: { $nin: Types.ObjectId[] } } {
  return ids.length === 0 ? {} : { _id: { $nin: objectIdsOf(ids) } };
}
