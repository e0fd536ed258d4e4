import type { Connection } from 'mongoose';
import { newId } from '../../platform/database/object-id.ts';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditServices } from '../audit/index.ts';
import type { DocumentServices, DocumentHooks } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import { undoRoutes } from './undo-routes.ts';
import { createUndoRemoval, createUndoServices } from './undo-services.ts';
import type { UndoHandler } from './write-undo-service.ts';

interface UndoNeeds {
  connection: Connection;
  auditOf: AuditServices['auditOf'];
  artifacts: Pick<ExtractionServices, 'schemas' | 'prompts' | 'extractions'>;
  documentHooks: DocumentHooks;
  documents: Pick<DocumentServices, 'documents'>;
}

/** Undo of what a turn or a request wrote. */
export const undoFeature = defineFeature({
  create({ connection, auditOf, artifacts: { schemas, prompts, extractions }, documentHooks, documents }: UndoNeeds) {
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
    });
    /** Registers how decisions by this tool are undone. */
    const onUndo = (tool: string, handler: UndoHandler) => void handlers.set(tool, handler);
    return { ...services, undoParts, onUndo };
  },
  routes: async (app, services) => app.register(undoRoutes, { services }),
});
