import type { mongo } from 'mongoose';

/** The collection of a database that marks it as the target of a copy that is not whole. */
export const unfinishedCopy = 'unfinished_copy';

/** Whether a database is the target of a copy that was interrupted, so that no server may start on it. */
export async function isUnfinished(db: Pick<mongo.Db, 'collection'>): Promise<boolean> {
  return (await db.collection(unfinishedCopy).findOne({})) !== null;
}
