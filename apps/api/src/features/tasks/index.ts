export { createTaskUndo } from './task-undo-repository.ts';
export { createTaskPermissions } from './task-services.ts';
export type { TaskServices } from './task-services.ts';
