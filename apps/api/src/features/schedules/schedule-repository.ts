import mongoose, { type Connection, type QueryFilter } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../platform/database/page.ts';
import { hasInAnyCase } from '../../platform/database/name-search.ts';
import { scheduleModel, type ScheduleRecord } from './schedule-model.ts';
import { presentEach } from '../../platform/records/unreadable-records.ts';

/** A schedule as services use it. */
export type StoredSchedule = Omit<ScheduleRecord, '_id' | 'organization_id' | 'created_by'> & {
  id: string;
  organization_id: string;
  created_by: string;
};
/** A schedule without the fields that the repository sets. */
export type NewSchedule = Omit<StoredSchedule, 'id' | 'organization_id' | 'changes'>;

/** The schedules of one organization. */
export type ScheduleRepository = ReturnType<ReturnType<typeof createScheduleRepositories>>;

export function createScheduleRepositories(connection: Connection) {
  const model = scheduleModel(connection);
  return (organizationId: string) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const one = (id: string): QueryFilter<ScheduleRecord> => ({
      _id: new mongoose.Types.ObjectId(id),
      organization_id,
    });
    return {
      async insert(schedule: NewSchedule): Promise<StoredSchedule> {
        const created_by = new mongoose.Types.ObjectId(schedule.created_by);
        const created = await model.create({ ...schedule, organization_id, created_by, changes: 0 });
        return storedSchedule(created.toObject());
      },
      async get(id: string): Promise<StoredSchedule | undefined> {
        const record = await model.findOne(one(id)).lean();
        return record === null ? undefined : storedSchedule(record);
      },
      /** Newest first. */
      async list({
        name_search,
        ...page
      }: PageSelection & { name_search?: string | undefined }): Promise<{ schedules: StoredSchedule[] } & PageEnd> {
        const filter: QueryFilter<ScheduleRecord> = { organization_id };
        if (name_search) filter.name = hasInAnyCase(name_search);
        const { records, end } = await readPage(model, filter, { ...page, sort: { _id: -1 } });
        return { schedules: presentEach(records, storedSchedule), ...end };
      },
      async count(): Promise<number> {
        return await model.countDocuments({ organization_id });
      },
      /** Undefined if the schedule was changed or deleted since `read`. */
      async replace(
        read: StoredSchedule,
        { created_by, ...change }: Partial<NewSchedule>,
      ): Promise<StoredSchedule | undefined> {
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
      async remove(id: string): Promise<boolean> {
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
    organization_id: String(organization_id),
    created_by: String(created_by),
  };
}
