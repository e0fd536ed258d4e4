export type { ChatServices } from './chat-services.ts';
export type { ApprovalService } from './decisions/approval-service.ts';
export { createEvidenceOnTurns } from './decisions/evidence-on-turns.ts';
export type { EvidenceOnTurns } from './decisions/evidence-on-turns.ts';
export type { ProgramCall, ProgramCalls } from './program-calls.ts';
export type { TurnRun } from './running/turn-runner.ts';
export type { TurnService, TurnState } from './turn-service.ts';
