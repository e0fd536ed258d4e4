import type { Connection } from 'mongoose';
import { newId } from '../../platform/database/object-id.ts';
import type { Job } from '../../platform/jobs/job-runner.ts';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditServices } from '../audit/index.ts';
import type { DocumentServices, DocumentHooks } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import type { EmitPolicyChange } from '../prompts/index.ts';
import { undoRoutes } from './undo-routes.ts';
import { createUndoRemoval, createUndoServices } from './undo-services.ts';
import type { UndoHandler } from './write-undo-service.ts';

interface UndoNeeds {
  connection: Connection;
  logger: { error(fields: object, message: string): void };
  auditOf: AuditServices['auditOf'];
  artifacts: Pick<ExtractionServices, 'schemas' | 'prompts' | 'extractions'>;
  documentHooks: DocumentHooks;
  documents: Pick<DocumentServices, 'documents'>;
  emitPolicyChange: EmitPolicyChange;
}

/** Undo of what a turn or a request wrote. */
export const undoFeature = defineFeature({
  create({
    connection,
    logger,
    auditOf,
    artifacts: { schemas, prompts, extractions },
    documentHooks,
    documents,
    emitPolicyChange,
  }: UndoNeeds) {
    documentHooks.onRemove(createUndoRemoval(connection));
    const handlers = new Map<string, UndoHandler>();
    const { parts: undoParts, ...services } = createUndoServices({
      connection,
      auditOf,
      async trash(actor, documentId) {
        const ofActor = documents.documents(actor);
        const outcome = await ofActor.delete(documentId, { call_id: `undo-${documentId}` });
        // A user has restored it since the first undo, and now undoes the upload again.
        if (outcome?.restored_since) await ofActor.delete(documentId, { call_id: `undo-${newId()}` });
      },
      schemas,
      prompts,
      extractions,
      handlers,
      emitPolicyChange,
      log: logger,
    });
    /** Registers how decisions by this tool are undone. */
    const onUndo = (tool: string, handler: UndoHandler) => void handlers.set(tool, handler);
    return { ...services, undoParts, onUndo };
  },
  jobs: ({ recordLeftWrites }): Job[] => [
    {
      name: 'record-left-writes',
      everyMs: 15_000,
      quietEveryMs: 60_000,
      concurrency: 1,
      run: (signal) => recordLeftWrites(signal),
    },
  ],
  routes: async (app, services) => app.register(undoRoutes, { services }),
});
