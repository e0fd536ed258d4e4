import type { Connection } from 'mongoose';
import type { AuditRepository } from '../audit/index.ts';
import { createTurnRepositories, turnOrThrow, createMongoTurnStore } from '../turns/index.ts';
import { beingPurged, createDocumentRepositories, createDocumentUndo, createSplitUndo } from '../documents/index.ts';
import { createExtractionUndo } from '../extractions/index.ts';
import {
  createPromptRepositories,
  promptFacets,
  settingsAgain,
  sharedPromptKeys,
  type EmitPolicyChange,
  type PromptContent,
} from '../prompts/index.ts';
import { createRevisionUndo } from '../revisions/index.ts';
import { createSchemaRepositories, schemaFacets } from '../schemas/index.ts';
import { createTaskUndo } from '../tasks/index.ts';
import { createTagRepositories, createTagUndo } from '../tags/index.ts';
import { createThreadRepositories } from '../threads/index.ts';
import { createUndoWrites } from './undo-writes.ts';
import { createTurnUndoRepositories } from './turn-undo-repository.ts';
import { createTurnWriteRepositories } from '../../turn-writes/turn-write-repository.ts';
import { createNotedRecords, createUnrecordedWrites } from '../../turn-writes/unrecorded-write-repository.ts';
import { createRecordLeftWrites, type WasMade } from './left-writes/record-left-writes.ts';
import { createUndoObstacles } from './undo-obstacles.ts';
import type { UndoableRecordsOf } from './undo-plan.ts';
import { createRequireUnverified } from './verified-documents-repository.ts';
import { createUndoService } from './undo-service.ts';
import { createUndoWrite, type UndoWriteDependencies } from './write-undo-service.ts';
import { createWorkingStateAfter, type WorkingStateDependencies } from './working-state-after.ts';

interface UndoAreaDependencies extends WorkingStateDependencies {
  connection: Connection;
  auditOf: (organizationId: string) => AuditRepository;
  trash: UndoWriteDependencies['trash'];
  handlers: UndoWriteDependencies['handlers'];
  emitPolicyChange: EmitPolicyChange;
  log: { error(fields: object, message: string): void };
}

export type UndoServices = ReturnType<typeof createUndoServices>;

export function createUndoServices({
  connection,
  auditOf,
  trash,
  handlers,
  emitPolicyChange,
  log,
  ...artifacts
}: UndoAreaDependencies) {
  const documentsOf = createDocumentRepositories(connection);
  const writesOf = createTurnWriteRepositories(connection);
  const { turnsOf } = createTurnRepositories(connection);
  // Only stored turns can be resumed; turns in memory end with their process.
  const pendingTurns = createMongoTurnStore(connection, { ttlMs: 0 });
  const obstacles = createUndoObstacles({
    schemasOf: createSchemaRepositories(connection),
    promptsOf: createPromptRepositories(connection),
    tagsOf: createTagRepositories(connection),
    documentsOf,
  });
  const recordsOf: UndoableRecordsOf = {
    schema: createRevisionUndo(connection, { kind: 'schema', facetsOf: schemaFacets, obstacles: obstacles.ofSchema }),
    prompt: createRevisionUndo<PromptContent>(connection, {
      kind: 'prompt',
      facetsOf: promptFacets,
      sharedKeys: sharedPromptKeys,
      settingsAgain,
      onSettings: emitPolicyChange,
      obstacles: obstacles.ofPrompt,
    }),
    tag: createTagUndo(connection, { usersOf: obstacles.usersOfTag }),
    document: createDocumentUndo(connection, { missingTags: obstacles.missingTags }),
    split: createSplitUndo(connection),
    task: createTaskUndo(connection),
    extraction: createExtractionUndo(connection, {
      onLastRemoved: (organizationId, documentId) =>
        documentsOf(organizationId).setState([documentId], 'ocr_completed'),
      onRestore: (organizationId, documentId) => documentsOf(organizationId).setState([documentId], 'llm_completed'),
    }),
  };
  const parts = { writesOf, undosOf: createTurnUndoRepositories(connection), recordsOf };
  const requireUnverified = createRequireUnverified(connection);
  return {
    undo: createUndoService({
      requireUnverified,
      turnOf: async (owner, turnId) => turnOrThrow(await turnsOf(owner).get(turnId)),
      discardPending: async (owner, turnId) => void (await pendingTurns.take(turnId, owner)),
      threadsOf: createThreadRepositories(connection),
      writesOf,
      undosOf: createTurnUndoRepositories(connection),
      auditOf,
      recordsOf,
      workingStateAfter: createWorkingStateAfter(artifacts),
    }),
    undoWrite: createUndoWrite({ ...parts, auditOf, trash, handlers, requireUnverified }),
    /** The repositories for the undo of runs. */
    parts,
    undoWrites: createUndoWrites(writesOf, recordsOf),
    recordLeftWrites: createRecordLeftWrites({
      unrecorded: createUnrecordedWrites(connection),
      auditOf,
      wasMade: wasMadeOf(connection, recordsOf),
      log,
    }),
    /** Whether the call's write is in the database. */
    async wasApplied(organizationId: string, callId: string) {
      const write = await writesOf(organizationId).ofCall(callId);
      return write !== undefined && (await recordsOf[write.kind](organizationId).writtenBy(callId)) !== undefined;
    },
  };
}

function wasMadeOf(connection: Connection, recordsOf: UndoableRecordsOf): WasMade {
  const find = createNotedRecords(connection);
  const named =
    (kind: keyof UndoableRecordsOf): WasMade['document'] =>
    async (organizationId, { call_id }) =>
      (await recordsOf[kind](organizationId).writtenBy(call_id)) !== undefined;
  return {
    schema: named('schema'),
    prompt: named('prompt'),
    tag: named('tag'),
    document: named('document'),
    split: named('split'),
    task: named('task'),
    extraction: named('extraction'),
    upload: async (...of) => (await find('documents', ...of)) !== undefined,
    async purge(...of) {
      const found = await find('documents', ...of);
      return found === undefined || (found.deleted_at instanceof Date && found.deleted_at <= beingPurged);
    },
    async bulk(organizationId, note) {
      const job = await find('document_bulk_jobs', organizationId, note);
      const run = job && (await find('runs', organizationId, { thing_id: String(job.run_id) }));
      return [job, run].some((record) => record?.applied_calls?.includes(note.call_id) === true);
    },
    run: async (...of) => (await find('runs', ...of)) !== undefined,
    evaluation: async (...of) => (await find('evaluations', ...of)) !== undefined,
  };
}

/** Removes the content of a document that undo has stored, when the document is removed. */
export function createUndoRemoval(
  connection: Connection,
): (organizationId: string, documentId: string) => Promise<void> {
  const writesOf = createTurnWriteRepositories(connection);
  const undosOf = createTurnUndoRepositories(connection);
  return async (organizationId, documentId) => {
    await writesOf(organizationId).forgetDocument(documentId);
    await undosOf(organizationId).forgetDocument(documentId);
  };
}
