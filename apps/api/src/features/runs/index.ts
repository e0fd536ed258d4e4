export type { NewRun, RunRepository } from './run-repository.ts';
export type { RunService } from './run-service.ts';
export { workRunsJobName } from './run-work-service.ts';
