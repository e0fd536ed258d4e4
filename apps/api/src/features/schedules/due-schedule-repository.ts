import mongoose, { type Connection } from 'mongoose';
import { exceptIds } from '../../platform/database/object-id.ts';
import { scheduleModel } from './schedule-model.ts';
import { storedSchedule, type StoredSchedule } from './schedule-repository.ts';

/** The enabled schedules of all organizations. */
export type DueScheduleRepository = ReturnType<typeof createDueScheduleRepository>;

export function createDueScheduleRepository(connection: Connection) {
  const model = scheduleModel(connection);
  return {
    /** The schedule that is due for the longest time, of those that are not excepted. */
    async nextDue(now: Date, setAside: readonly string[] = []): Promise<StoredSchedule | undefined> {
      const record = await model
        .findOne({ next_due_at: { $type: 'date', $lte: now }, ...exceptIds(setAside) })
        .sort({ next_due_at: 1 })
        .lean();
      return record === null ? undefined : storedSchedule(record);
    },
    /** Sets the next due time, unless it was changed since the schedule was read. */
    async setNextDue({ id, next_due_at }: StoredSchedule, next: Date | null): Promise<void> {
      // Not by the model: a damaged time is no date.
      await model.collection.updateOne(
        { _id: new mongoose.Types.ObjectId(id), next_due_at },
        { $set: { next_due_at: next } },
      );
    },
    /** All schedules with a due time, also one that is no date. */
    async *upcoming(): AsyncIterable<StoredSchedule> {
      for await (const record of model
        .find({ next_due_at: { $ne: null } })
        .lean()
        .cursor()) {
        yield storedSchedule(record);
      }
    },
  };
}
