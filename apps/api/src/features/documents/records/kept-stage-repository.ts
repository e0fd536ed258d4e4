import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import { readTogether } from '../../../platform/database/joint-reads.ts';
import { readOlderProcesses } from '../../../platform/processes/running-process-repository.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../../platform/records/record-model.ts';
import { documentModel } from './document-model.ts';
import { maxSettled, storeStage, unsettled } from '../stages/staged-write-repository.ts';
import { stageExpression } from '../stages/stage-of-document.ts';

/** The version of the database from which on all processes keep the stages. */
const keptSince = 17;

/** A process that does not keep stages creates these at its start. Their names say that one has run since they were dropped. */
const formerIndexes = [
  'organization_id_1_deleted_at_1_state_1_auto_create.status_1_review.is_verified_1_review.is_incomplete_1_review.to_check_1_upload_date_-1__id_-1',
  'organization_id_1_deleted_at_1_review.is_incomplete_1_upload_date_-1__id_-1',
];

type StageCheck = StoredRecord<typeof stageCheckSchema>;

const stageCheckSchema = recordSchema(
  {
    _id: field.text,
    /** Set while stages can be wrong: lists then do not use them. */
    is_due: field.mark.optional(),
    /** The last document that was checked, while a check is under way. Of two processes that check, one moves it on. */
    after: field.objectId.optional(),
    checked_at: field.date.optional(),
  },
  { collection: 'document_stage_checks' },
);
const stageCheckModel = modelOf('DocumentStageCheck', stageCheckSchema);
/** There is one record. */
const one = { _id: 'all' };

/** Documents that are checked in one step. */
const defaultBatchSize = 1_000;
const dayMs = 24 * 3_600_000;

/** Notes that stages can be wrong. The check begins anew. */
export async function noteStageCheckDue(connection: Connection): Promise<void> {
  await stageCheckModel(connection).updateOne(one, { $set: { is_due: true }, $unset: { after: 1 } }, { upsert: true });
}

/** Returns a function that says whether lists of an organization can be selected by the stored stages, and stores missing ones. */
export function createKeptStages(connection: Connection): (organizationId: string) => Promise<boolean> {
  const documents = documentModel(connection);
  const checks = stageCheckModel(connection);
  return async (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const missing = unsettled(organization_id);
    const [due, older, left] = await Promise.all([
      readTogether(checks, { ...one, is_due: true }, { projection: { _id: 1 } }),
      readOlderProcesses(connection, keptSince),
      readTogether(documents, missing, { projection: { _id: 1 }, limit: maxSettled + 1 }),
    ]);
    if (due.length > 0 || older.length > 0 || left.length > maxSettled) return false;
    if (left.length > 0) {
      const without = { _id: { $in: left.map(({ _id }) => _id) }, organization_id, stage: null };
      await documents.collection.updateMany(without, storeStage);
    }
    return true;
  };
}

/**
 * Returns a job that compares the stage of each document with its other fields and mends it: once a day, and at once after a
 * process ran that does not keep stages, or before any was stored. It goes on where a killed process stopped.
 */
export function createStageCheck(
  connection: Connection,
  batchSize = defaultBatchSize,
): (signal: AbortSignal) => Promise<void> {
  const documents = documentModel(connection).collection;
  const checks = stageCheckModel(connection);
  const isOlderRunning = async () => (await readOlderProcesses(connection, keptSince)).length > 0;

  async function existing(): Promise<string[]> {
    const names = (await documents.indexes()).map(({ name }) => name);
    return formerIndexes.filter((name) => names.includes(name));
  }

  /** Mends the stages of all documents, in steps. Returns the last; undefined at a stop, or if another process goes on with it. */
  async function mendAll(
    { is_due, after }: StageCheck,
    signal: AbortSignal,
  ): Promise<Pick<StageCheck, 'after'> | undefined> {
    for (let last = after; ;) {
      const started = performance.now();
      const later = last === undefined ? {} : { _id: { $gt: last } };
      const found = await documents
        .find(later, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(batchSize)
        .toArray();
      const next = found.at(-1)?._id;
      if (next === undefined) return last === undefined ? {} : { after: last };
      const among = { _id: { ...later._id, $lte: next } };
      await documents.updateMany({ ...among, $expr: { $ne: ['$stage', stageExpression] } }, storeStage);
      const { matchedCount } = await checks.updateOne({ ...one, after: last ?? null }, { $set: { after: next } });
      if (matchedCount === 0 || signal.aborted) return undefined;
      last = next;
      // Nobody waits for a daily check.
      if (is_due !== true) await sleep(performance.now() - started, undefined, { ref: false });
    }
  }

  return async (signal) => {
    if (await isOlderRunning()) return await noteStageCheckDue(connection);
    const former = await existing();
    if (former.length > 0) {
      // Noted first: without these indexes, nothing says that it is due.
      await noteStageCheckDue(connection);
      for (const name of former) await documents.dropIndex(name);
    }
    const found = await checks.findOne(one).lean();
    if (found === null) await checks.create(one).catch(ignoreDuplicateKey);
    const state: StageCheck = found ?? one;
    const isCurrent = state.checked_at !== undefined && Date.now() - state.checked_at.getTime() < dayMs;
    if (isCurrent && state.is_due !== true) return;
    const end = await mendAll(state, signal);
    if (end === undefined) return;
    // One that started meanwhile can have changed what was checked before.
    const isCertain = !(await isOlderRunning()) && (await existing()).length === 0;
    const checked = { $set: { checked_at: new Date() }, $unset: { is_due: 1, after: 1 } };
    await checks.updateOne({ ...one, after: end.after ?? null }, isCertain ? checked : { $unset: { after: 1 } });
  };
}
