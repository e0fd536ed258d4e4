import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { UndoService } from './undo-service.ts';
import type { UndoWrite } from './write-undo-service.ts';

/** Undo of turns and of single writes. A turn that deleted its own document can be undone too. */
export const undoRoutes: FastifyPluginAsync<{ services: { undo: UndoService; undoWrite: UndoWrite } }> = async (
  app,
  { services: { undo, undoWrite } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/documents/:document_id/chat/turns/:turn_id/undo', ({ actor, params, body }) =>
    undo.undo(actor, params.document_id, params.turn_id, body),
  );
  route('POST /v0/orgs/:org_id/audit/:entry_id/undo', ({ actor, params, body }) =>
    undoWrite(actor, params.entry_id, body),
  );
};
