export type { ChatServices } from './chat-services.ts';
export type { ApprovalService } from './decisions/approval-service.ts';
export { createEvidenceOnTurns } from './evidence-on-turns.ts';
export type { EvidenceOnTurns } from './evidence-on-turns.ts';
export type { ProgramCall, ProgramCalls } from './program-calls.ts';
export type { TurnRun } from './turn-runner.ts';
export type { TurnService, TurnState } from './turn-service.ts';
