export type { TurnUndoRepository } from './turn-undo-repository.ts';
export { carryOut, obstaclesOf, planUndo } from './undo-plan.ts';
export type { UndoableRecordsOf, UndoContext } from './undo-plan.ts';
export type { UndoServices } from './undo-services.ts';
export type { UndoWrites } from './undo-writes.ts';
export { createRequireUnverified, type RequireUnverified } from './verified-documents-repository.ts';
export type { UndoHandler } from './write-undo-service.ts';
