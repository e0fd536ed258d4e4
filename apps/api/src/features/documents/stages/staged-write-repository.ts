import mongoose, { type Connection, type mongo } from 'mongoose';
import { decidingPaths, stageExpression } from './stage-of-document.ts';

type Update = mongo.UpdateFilter<mongo.Document> | mongo.Document[];
type Operation = mongo.AnyBulkWriteOperation;
type Filter = mongo.Filter<mongo.Document>;

interface Writes {
  updateOne: (filter: Filter, update: Update, ...options: never[]) => Promise<mongo.UpdateResult>;
  updateMany: (filter: Filter, update: Update, ...options: never[]) => Promise<mongo.UpdateResult>;
  findOneAndUpdate: (filter: Filter, update: Update, ...options: never[]) => Promise<mongo.Document | null>;
  bulkWrite: (operations: Operation[], ...options: never[]) => Promise<mongo.BulkWriteResult>;
}

/** Changes of one second are settled together. */
const settleAfterMs = 1_000;
/** So many documents of an organization are given their stage at once. */
export const maxSettled = 1_000;

const kept = new WeakSet<mongo.Collection>();

/**
 * Extends the updates of the documents' collection that can change a stage: one with a pipeline stores the stage in the same
 * write, any other removes it in the same write. A removed stage is stored a second later, together with others of its
 * organization, or by the next look at a stage, whichever comes first: a process that dies in between leaves none that is wrong.
 */
export function keepStages(connection: Connection, collection: mongo.Collection): void {
  if (kept.has(collection)) return;
  kept.add(collection);
  const settling = new Set<string>();
  const own = collection as unknown as Writes;
  const { updateOne, updateMany, findOneAndUpdate, bulkWrite } = own;

  async function settleStages(): Promise<void> {
    const organizationIds = [...settling];
    settling.clear();
    if (connection.readyState !== mongoose.ConnectionStates.connected) return;
    for (const id of organizationIds) {
      const organization_id = new mongoose.Types.ObjectId(id);
      const among = { projection: { _id: 1 }, limit: maxSettled };
      const found = await collection.find(unsettled(organization_id), among).toArray();
      const _id = { $in: found.map((record) => record._id) };
      if (found.length > 0) await updateMany.call(own, { ...unsettled(organization_id), _id }, storeStage);
    }
  }
  // What is left is settled by the next look, or by the daily check.
  const settleSoon = () => void settleStages().catch(() => undefined);
  /** The update as it is to be sent. */
  function extended(filter: Filter, update: Update): Update {
    if (!canChangeStage(update)) return update;
    if (Array.isArray(update)) return [...update, ...storeStage];
    const { organization_id } = filter;
    if (organization_id instanceof mongoose.Types.ObjectId) {
      if (settling.size === 0) setTimeout(settleSoon, settleAfterMs).unref();
      settling.add(organization_id.toHexString());
    }
    const { $unset, ...others } = update;
    return { ...others, $unset: { ...$unset, stage: 1 } };
  }

  own.updateOne = (filter, update, ...options) => updateOne.call(own, filter, extended(filter, update), ...options);
  own.updateMany = (filter, update, ...options) => updateMany.call(own, filter, extended(filter, update), ...options);
  own.findOneAndUpdate = (filter, update, ...options) =>
    findOneAndUpdate.call(own, filter, extended(filter, update), ...options);
  own.bulkWrite = (operations, ...options) => bulkWrite.call(own, operations.map(extendedOperation), ...options);

  function extendedOperation(operation: Operation): Operation {
    for (const name of ['updateOne', 'updateMany'] as const) {
      const one = (operation as Record<string, { filter: Filter; update: Update }>)[name];
      if (one) return { [name]: { ...one, update: extended(one.filter, one.update) } } as unknown as Operation;
    }
    return operation;
  }
}

/** An update that stores the stage. */
export const storeStage = [{ $set: { stage: stageExpression } }];

/** The documents of lists whose stage is to be stored. */
export const unsettled = <Id>(organization_id: Id) => ({ organization_id, deleted_at: null, stage: null });

function canChangeStage(update: Update): boolean {
  const changes = Array.isArray(update) ? update : [update];
  return changes.some((change) => Object.values(change).some((fields) => pathsOf(fields).some(isDeciding)));
}

/** The paths that an operator of an update, or a stage of its pipeline, changes. */
function pathsOf(fields: unknown): string[] {
  if (typeof fields === 'string') return [fields];
  if (Array.isArray(fields)) return fields.filter((field) => typeof field === 'string');
  return Object.keys(Object(fields));
}

const isDeciding = (path: string): boolean =>
  decidingPaths.some(
    (deciding) => path === deciding || path.startsWith(`${deciding}.`) || deciding.startsWith(`${path}.`),
  );
