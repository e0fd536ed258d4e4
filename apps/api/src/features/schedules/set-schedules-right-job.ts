import type { DueScheduleService } from './due-schedule-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

/** Brings back due times that a clock which was ahead has put off too far. */
export function createSetSchedulesRightJob(due: Pick<DueScheduleService, 'setRight'>): Job {
  return {
    name: 'set-schedules-right',
    everyMs: 60_000,
    concurrency: 1,
    run: () => due.setRight(),
  };
}
