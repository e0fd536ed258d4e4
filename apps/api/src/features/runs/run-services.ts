import type { RunAction, RunState } from '@docwright/contract';
import type { Connection } from 'mongoose';
import type { AuditLog } from '../audit/index.ts';
import { createProposalRepository } from '../auto-create/index.ts';
import { createDocumentRunRepository, type HeadlessQueue, type HeadlessListener } from '../headless/index.ts';
import { createOrganizationRepository } from '../identity/index.ts';
import { createActiveRunRepository } from './active-run-repository.ts';
import { createIncompleteResults, createMatchingDocumentRepositories } from '../extractions/index.ts';
import { createRunRepositories } from './run-repository.ts';
import { createRunService } from './run-service.ts';
import { createRunUndoRepository } from './run-undo-repository.ts';
import { createRunUndoService, type RunUndoDependencies } from './run-undo-service.ts';
import type { UndoServices } from '../undo/index.ts';
import { createRunWorkService } from './run-work-service.ts';

export function createRunServices(dependencies: {
  connection: Connection;
  undo: UndoServices['parts'];
  auditOf: (organizationId: string) => AuditLog;
  /** Ends a pending call; false if a user has just decided on it. */
  endPending: RunUndoDependencies['endPending'];
  queue: HeadlessQueue;
  toolNames: readonly string[];
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  /** The user who created a schedule; undefined if it was deleted. */
  scheduleCreator: (organizationId: string, scheduleId: string) => Promise<string | undefined>;
  wake: () => Promise<void>;
  wakeUndo?: () => Promise<void>;
  wakeLarge?: () => Promise<void>;
  /** Called for each run that this process has ended. */
  onEnded: (action: RunAction, state: RunState) => void;
  /** Makes this process poll its runs, if it is a worker. */
  poll: () => void;
  log: { error(fields: object, message: string): void };
}) {
  const { connection, queue, toolNames, checkTags, promptExists, scheduleCreator, wake, poll, onEnded, log } =
    dependencies;
  const runsOf = createRunRepositories(connection);
  const matchingOf = createMatchingDocumentRepositories(connection);
  const active = createActiveRunRepository(connection);
  const organizations = createOrganizationRepository(connection);
  const proposals = createProposalRepository(connection);
  queue.onChange(createEndWatch(poll));
  return {
    runsOf,
    runs: createRunService({
      runsOf,
      matchingOf,
      incompleteResults: createIncompleteResults(connection),
      queue,
      toolNames,
      checkTags,
      promptExists,
      scheduleCreator,
      wake,
      wakeUndo: dependencies.wakeUndo ?? wake,
    }),
    undoing: createRunUndoService({
      ...dependencies.undo,
      undos: createRunUndoRepository(connection),
      runs: createDocumentRunRepository(connection),
      auditOf: dependencies.auditOf,
      endPending: dependencies.endPending,
      forgetProposal: ({ organizationId, documentId, id }) => proposals.forget(organizationId, documentId, id),
      log,
    }),
    work: createRunWorkService({
      active,
      queue,
      matchingOf,
      roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
      checkTags,
      promptExists,
      onEnded,
      ...(dependencies.wakeLarge && { wakeLarge: dependencies.wakeLarge }),
      log,
    }),
  };
}

/** Documents that end within this time share one poll. */
const gatherMs = 250;

/** Polls the runs soon after one of their documents has ended. */
function createEndWatch(poll: () => void): HeadlessListener {
  let timer: NodeJS.Timeout | undefined;
  return ({ runId, state }) => {
    if (runId === null || state === 'queued' || state === 'running') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      poll();
    }, gatherMs).unref();
  };
}
