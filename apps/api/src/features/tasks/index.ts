export { createTaskPermissions } from './task-services.ts';
export type { TaskServices } from './task-services.ts';
