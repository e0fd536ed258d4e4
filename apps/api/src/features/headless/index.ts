export { createClaimRepository } from './claim-repository.ts';
export type { ClaimRepository, ClaimedRun, RunOutcome, UnsettledRun } from './claim-repository.ts';
export { conversationInThread, conversationWithoutThread } from './conversation.ts';
export type { ConversationDependencies } from './conversation.ts';
export { createHeadlessQueue } from './create-headless-queue.ts';
export { documentRunModel, endedRunRetentionMs } from './document-run-model.ts';
export { createDocumentRunRepository, noCounts } from './document-run-repository.ts';
export type { DocumentRunRepository, UndoableDocumentRun } from './document-run-repository.ts';
export type {
  DocumentRun,
  HeadlessInput,
  HeadlessKind,
  HeadlessListener,
  HeadlessQueue,
  HeadlessState,
} from './headless-queue.ts';
export { createHeadlessWorker, defaultWorkerLimits } from './headless-worker.ts';
export type { WorkerLimits } from './headless-worker.ts';
export { createParkedRunRepository } from './parked-run-repository.ts';
export { createParkedRuns } from './parked-runs.ts';
export type { ParkedRuns } from './parked-runs.ts';
export { runAgent, runSourceOf, unattendedOf } from './run-agent.ts';
export type { AgentProgress, RunAgentDependencies, RunningAgent } from './run-agent.ts';
export { createRunDocument } from './run-document.ts';
export type { JobHandler, RunControl } from './run-document.ts';
export { failureOf } from './run-failure.ts';
export { RunStop } from './run-stop.ts';
