import type { DueScheduleService } from './due-schedule-service.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';

/** Begins the runs of schedules that are due. */
export function createBeginDueRunsJob(due: Pick<DueScheduleService, 'startDue'>): Job {
  return {
    name: 'begin-due-runs',
    everyMs: 3_000,
    concurrency: 1,
    run: (signal) => due.startDue(signal),
  };
}
