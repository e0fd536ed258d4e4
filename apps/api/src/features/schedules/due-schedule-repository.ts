import mongoose, { type Connection } from 'mongoose';
import { scheduleModel } from './schedule-model.ts';
import { storedSchedule, type StoredSchedule } from './schedule-repository.ts';

/** The enabled schedules of all organizations. */
export interface DueScheduleRepository {
  /** The schedule that is due for the longest time. */
  nextDue(now: Date): Promise<StoredSchedule | undefined>;
  /** Sets the next due time, unless it was changed since the schedule was read. */
  setNextDue(schedule: StoredSchedule, next: Date | null): Promise<void>;
  /** All schedules with a due time. */
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
    async setNextDue({ id, next_due_at }, next) {
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
