import type { Connection } from 'mongoose';
import type { AuditRepository } from '../audit/audit-repository.ts';
import { createTurnRepositories } from '../turns/turn-repository.ts';
import { turnOrThrow } from '../turns/stored-turn.ts';
import { createMongoTurnStore } from '../turns/waiting-turn-repository.ts';
import { createDocumentRepositories } from '../documents/document-repository.ts';
import { createDocumentUndo } from '../documents/document-undo-repository.ts';
import { createSplitUndo } from '../documents/splitting/split-undo-repository.ts';
import { createExtractionUndo } from '../extractions/extraction-undo-repository.ts';
import { createPromptRepositories, promptFacets, type PromptContent } from '../prompts/prompt-repository.ts';
import { createRevisionUndo } from '../revisions/revision-undo-repository.ts';
import { createSchemaRepositories, schemaFacets } from '../schemas/schema-repository.ts';
import { createTagRepositories } from '../tags/tag-repository.ts';
import { createTagUndo } from '../tags/tag-undo-repository.ts';
import { createThreadRepositories } from '../threads/thread-repository.ts';
import { createUndoWrites, type UndoWrites } from './undo-writes.ts';
import { createTurnUndoRepositories } from './turn-undo-repository.ts';
import { createTurnWriteRepositories } from '../../turn-writes/turn-write-repository.ts';
import { createUndoObstacles } from './undo-obstacles.ts';
import type { ThingsOf } from './undo-plan.ts';
import { createUndoService, type UndoService } from './undo-service.ts';
import {
  createUndoWrite,
  type UndoWrite,
  type UndoWriteDependencies,
  type WriteUndoDependencies,
} from './write-undo-service.ts';
import { createWorkingStateAfter, type WorkingStateDependencies } from './working-state-after.ts';

export interface UndoAreaDependencies extends WorkingStateDependencies {
  connection: Connection;
  auditOf: (organizationId: string) => AuditRepository;
  trash: UndoWriteDependencies['trash'];
  handlers: UndoWriteDependencies['handlers'];
}

export interface UndoServices {
  undo: UndoService;
  undoWrite: UndoWrite;
  undoWrites: UndoWrites;
  /** What an undo of many turns is made of. */
  parts: Pick<WriteUndoDependencies, 'writesOf' | 'undosOf' | 'thingsOf'>;
  /** Whether a write of this call is in the database. */
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
}

export function createUndoServices({
  connection,
  auditOf,
  trash,
  handlers,
  ...artifacts
}: UndoAreaDependencies): UndoServices {
  const documentsOf = createDocumentRepositories(connection);
  const writesOf = createTurnWriteRepositories(connection);
  const { turnsOf } = createTurnRepositories(connection);
  // What waits in memory dies with its process; only what the database keeps could be taken up again.
  const waitingTurns = createMongoTurnStore(connection, { ttlMs: 0 });
  const obstacles = createUndoObstacles({
    schemasOf: createSchemaRepositories(connection),
    promptsOf: createPromptRepositories(connection),
    tagsOf: createTagRepositories(connection),
    documentsOf,
  });
  const thingsOf: ThingsOf = {
    schema: createRevisionUndo(connection, { kind: 'schema', facetsOf: schemaFacets, obstacles: obstacles.ofSchema }),
    prompt: createRevisionUndo<PromptContent>(connection, {
      kind: 'prompt',
      facetsOf: promptFacets,
      obstacles: obstacles.ofPrompt,
    }),
    tag: createTagUndo(connection, { usersOf: obstacles.usersOfTag }),
    document: createDocumentUndo(connection, { missingTags: obstacles.missingTags }),
    split: createSplitUndo(connection),
    extraction: createExtractionUndo(connection, {
      onLastRemoved: (organizationId, documentId) => documentsOf(organizationId).setState(documentId, 'ocr_completed'),
      onPutBack: (organizationId, documentId) => documentsOf(organizationId).setState(documentId, 'llm_completed'),
    }),
  };
  const parts = { writesOf, undosOf: createTurnUndoRepositories(connection), thingsOf };
  return {
    undo: createUndoService({
      turnOf: async (owner, turnId) => turnOrThrow(await turnsOf(owner).get(turnId)),
      giveUp: async (owner, turnId) => void (await waitingTurns.take(turnId, owner)),
      threadsOf: createThreadRepositories(connection),
      writesOf,
      undosOf: createTurnUndoRepositories(connection),
      auditOf,
      thingsOf,
      workingStateAfter: createWorkingStateAfter(artifacts),
    }),
    undoWrite: createUndoWrite({ ...parts, auditOf, trash, handlers }),
    parts,
    undoWrites: createUndoWrites(writesOf, thingsOf),
    async wasApplied(organizationId, callId) {
      const write = await writesOf(organizationId).ofCall(callId);
      return write !== undefined && (await thingsOf[write.kind](organizationId).writtenBy(callId)) !== undefined;
    },
  };
}

/** What undo keeps of a document's content goes with the document. */
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
