import mongoose, { type Connection } from 'mongoose';
import { scheduleModel } from './schedule-model.ts';
import { storedSchedule, type StoredSchedule } from './schedule-repository.ts';

/** The schedules of all organizations whose time comes. */
export interface DueScheduleRepository {
  /** The one that waits longest. */
  nextDue(now: Date): Promise<StoredSchedule | undefined>;
  /** Sets when it is due next, unless that has been changed since it was read. */
  moveOn(schedule: StoredSchedule, next: Date | null): Promise<void>;
  /** All that are to come. */
  upcoming(): AsyncIterable<StoredSchedule>;
}

export function createDueScheduleRepository(connection: Connection): DueScheduleRepository {
  const model = scheduleModel(connection);
  return {
    async nextDue(now) {
      const record = await model
        .findOne({ next_due_at: { $type: 'date', $lte: now } })
        .sort({ next_due_at: 1 })
        .lean();
      return record === null ? undefined : storedSchedule(record);
    },
    async moveOn({ id, next_due_at }, next) {
      await model.updateOne({ _id: new mongoose.Types.ObjectId(id), next_due_at }, { $set: { next_due_at: next } });
    },
    async *upcoming() {
      for await (const record of model
        .find({ next_due_at: { $type: 'date' } })
        .lean()
        .cursor()) {
        yield storedSchedule(record);
      }
    },
  };
}
