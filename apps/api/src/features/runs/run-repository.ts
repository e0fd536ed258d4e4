import type { PageQuery, RunState } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageEnd } from '../../platform/database/page.ts';
import { noAttempts } from '../../platform/leases/claims-in-turn.ts';
import { ignoreDuplicateKey, isDuplicateKey } from '../../platform/database/connection.ts';
import { withCalls } from '../../turn-writes/write-origin.ts';
import { runModel, type RunRecord } from './run-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

/** A run as services use it. */
export type StoredRun = Omit<
  RunRecord,
  | '_id'
  | 'organization_id'
  | 'schedule_id'
  | 'requested_by'
  | 'named_ids'
  | 'document_ids'
  | 'active'
  | 'lease'
  | 'skipped_for'
  | 'applied_calls'
> & {
  id: string;
  organization_id: string;
  schedule_id: string | null;
  requested_by: string;
  named_ids: string[] | null;
  document_ids: string[] | null;
};

export type NewRun = Pick<
  StoredRun,
  | 'schedule_id'
  | 'trigger'
  | 'action'
  | 'filter'
  | 'named_ids'
  | 'max_documents'
  | 'prompt_id'
  | 'replace'
  | 'on_ask'
  | 'message'
  | 'auto_approved_tools'
  | 'requested_by'
  | 'role'
  | 'due_at'
> & {
  /** The id of the run; inserted again, the first one is returned. */
  id?: string;
};

export interface RunQuery extends PageQuery {
  schedule_id?: string | undefined;
  state?: RunState | undefined;
  /** Only runs of schedules and of this user. */
  visibleTo?: string | undefined;
}

/** The runs of one organization. */
export type RunRepository = ReturnType<ReturnType<typeof createRunRepositories>>;

export function createRunRepositories(connection: Connection) {
  const model = runModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string): QueryFilter<RunRecord> => ({ _id: new mongoose.Types.ObjectId(id), organization_id });
    const record = ({ id, ...run }: NewRun) => ({
      ...run,
      ...(id !== undefined && { _id: new mongoose.Types.ObjectId(id) }),
      organization_id,
      schedule_id: run.schedule_id === null ? null : new mongoose.Types.ObjectId(run.schedule_id),
      requested_by: new mongoose.Types.ObjectId(run.requested_by),
      named_ids: run.named_ids?.map((id) => new mongoose.Types.ObjectId(id)) ?? null,
      created_at: new Date(),
    });
    return {
      /** Undefined if a run of its schedule is active, or its due time has a run already. */
      async insert(run: NewRun): Promise<StoredRun | undefined> {
        try {
          const created = await model.create({ ...record(run), state: 'queued', active: true });
          return storedRun(created.toObject());
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          const known = run.id === undefined ? null : await model.findOne(one(run.id)).lean();
          return known === null ? undefined : storedRun(known);
        }
      },
      /** Records a skipped due time. All skipped times during one run share one record. Idempotent. */
      async insertSkipped(run: NewRun, error: { code: string; message: string }): Promise<void> {
        const now = new Date();
        const { schedule_id } = record(run);
        const during = await model.findOne({ schedule_id, active: true }, { _id: 1 }).lean();
        const last_due_at = run.due_at ?? now;
        if (during !== null) {
          const known = { skipped_for: during._id, schedule_id };
          const { matchedCount } = await model.updateOne(
            { ...known, last_due_at: { $lt: last_due_at } },
            { $set: { last_due_at, ended_at: now }, $inc: { skipped_times: 1 } },
          );
          if (matchedCount === 1 || (await model.exists(known)) !== null) return;
        }
        try {
          const skipped = { skipped_times: 1, last_due_at, ...(during && { skipped_for: during._id }) };
          await model.create({ ...record(run), ...skipped, state: 'skipped', error, started_at: now, ended_at: now });
        } catch (failure) {
          ignoreDuplicateKey(failure);
        }
      },
      async get(id: string): Promise<StoredRun | undefined> {
        const found = await model.findOne(one(id)).lean();
        return found === null ? undefined : storedRun(found);
      },
      /** Newest first. */
      async list({ schedule_id, state, visibleTo, ...page }: RunQuery): Promise<{ runs: StoredRun[] } & PageEnd> {
        const filter: QueryFilter<RunRecord> = { organization_id };
        if (schedule_id !== undefined) filter.schedule_id = new mongoose.Types.ObjectId(schedule_id);
        if (state !== undefined) filter.state = state;
        if (visibleTo !== undefined) {
          const requested_by = { $in: [new mongoose.Types.ObjectId(visibleTo), organization_id] };
          filter.$or = [{ schedule_id: { $ne: null } }, { requested_by }];
        }
        const { records, end } = await readPage(model, filter, { ...page, sort: { _id: -1 } });
        return { runs: presentEach(records, storedRun), ...end };
      },
      async countActive(): Promise<number> {
        return await model.countDocuments({ organization_id, active: true });
      },
      /** False if it has ended. */
      async requestStop(id: string, callIds?: readonly string[]): Promise<boolean> {
        const { matchedCount } = await model.updateOne(
          { ...one(id), active: true },
          { $set: { stop_requested: true }, ...withCalls(callIds) },
        );
        return matchedCount === 1;
      },
      /** Requests the undo by a worker; does nothing while an undo is running. */
      async requestUndo(id: string, requested_by: string, callIds?: readonly string[]): Promise<void> {
        const undo = {
          state: 'running',
          undone: 0,
          conflicts: [],
          requested_by,
          started_at: new Date(),
          ended_at: null,
        };
        await model.updateOne(
          { ...one(id), active: { $exists: false }, 'undo.state': { $ne: 'running' } },
          { $set: { undo, ...noAttempts }, ...withCalls(callIds) },
        );
      },
    };
  };
}

/** Undefined if the record is damaged. */
export function soundRun(record: RunRecord): StoredRun | undefined {
  try {
    return storedRun(record);
  } catch {
    return undefined;
  }
}

export function storedRun(record: RunRecord): StoredRun {
  const {
    _id,
    organization_id,
    schedule_id,
    requested_by,
    named_ids,
    document_ids,
    skipped_for: _run,
    applied_calls: _calls,
    ...rest
  } = record;
  return {
    ...rest,
    id: _id.toHexString(),
    organization_id: organization_id.toHexString(),
    schedule_id: schedule_id?.toHexString() ?? null,
    requested_by: requested_by.toHexString(),
    named_ids: named_ids?.map((id) => id.toHexString()) ?? null,
    document_ids: document_ids?.map((id) => id.toHexString()) ?? null,
  };
}
