import type { PageQuery } from '@docwright/contract';
import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { scheduleModel, type ScheduleRecord } from './schedule-model.ts';
import { withTotal } from '../../platform/database/with-total.ts';

/** A schedule as services use it. */
export type StoredSchedule = Omit<ScheduleRecord, '_id' | 'organization_id' | 'created_by'> & {
  id: string;
  organization_id: string;
  created_by: string;
};
/** A schedule without the fields that the repository sets. */
export type NewSchedule = Omit<StoredSchedule, 'id' | 'organization_id' | 'changes'>;

/** The schedules of one organization. */
export interface ScheduleRepository {
  insert(schedule: NewSchedule): Promise<StoredSchedule>;
  get(id: string): Promise<StoredSchedule | undefined>;
  /** Newest first. */
  list(
    query: PageQuery & { name_search?: string | undefined },
  ): Promise<{ schedules: StoredSchedule[]; total_count: number }>;
  count(): Promise<number>;
  /** Undefined if the schedule was changed or deleted since `read`. */
  replace(read: StoredSchedule, change: Partial<NewSchedule>): Promise<StoredSchedule | undefined>;
  remove(id: string): Promise<boolean>;
}

export function createScheduleRepositories(connection: Connection): (organizationId: string) => ScheduleRepository {
  const model = scheduleModel(connection);
  return (organizationId) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string): QueryFilter<ScheduleRecord> => ({
      _id: new mongoose.Types.ObjectId(id),
      organization_id,
    });
    return {
      async insert(schedule) {
        const created_by = new mongoose.Types.ObjectId(schedule.created_by);
        const created = await model.create({ ...schedule, organization_id, created_by, changes: 0 });
        return storedSchedule(created.toObject());
      },
      async get(id) {
        const record = await model.findOne(one(id)).lean();
        return record === null ? undefined : storedSchedule(record);
      },
      async list({ skip, limit, name_search }) {
        const filter: QueryFilter<ScheduleRecord> = { organization_id };
        if (name_search) filter.name = hasInAnyCase(name_search);
        const [records, total_count] = await withTotal(
          model.find(filter).sort({ _id: -1 }).skip(skip).limit(limit).lean(),
          { skip, limit },
          () => model.countDocuments(filter),
        );
        return { schedules: records.map(storedSchedule), total_count };
      },
      async count() {
        return await model.countDocuments({ organization_id });
      },
      async replace(read, { created_by, ...change }) {
        const maker = created_by === undefined ? {} : { created_by: new mongoose.Types.ObjectId(created_by) };
        const record = await model
          .findOneAndUpdate(
            { ...one(read.id), changes: read.changes },
            { $set: { ...change, ...maker }, $inc: { changes: 1 } },
            { returnDocument: 'after' },
          )
          .lean();
        return record === null ? undefined : storedSchedule(record);
      },
      async remove(id) {
        const { deletedCount } = await model.deleteOne(one(id));
        return deletedCount === 1;
      },
    };
  };
}

export function storedSchedule(record: ScheduleRecord): StoredSchedule {
  const { _id, organization_id, created_by, ...rest } = record;
  return {
    ...rest,
    id: _id.toHexString(),
    organization_id: organization_id.toHexString(),
    created_by: created_by.toHexString(),
  };
}
