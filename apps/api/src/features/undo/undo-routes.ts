import { objectId, undoAnswer } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { UndoService } from './undo-service.ts';

const turnPath = z.object({ org_id: objectId, document_id: objectId, turn_id: objectId });

/** Undoing a turn, for whoever started it; also one that deleted its own document. */
export const undoRoutes: FastifyPluginAsyncZod<{ services: { undo: UndoService } }> = async (
  app,
  { services: { undo } },
) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/chat/turns/:turn_id/undo',
    {
      schema: {
        tags: ['chat'],
        operationId: 'undoTurn',
        summary: 'Undo a turn',
        description:
          'Takes back what the turn changed. Changes are taken back as new revisions, created things are removed, deleted ones come back under their ids; the newest write first. All or nothing: where something has changed meanwhile, nothing is undone and `changed_since` names it. Offered for 30 days. The same again gives the same answer.',
        params: turnPath,
        errors: ['viewer_cannot_write', 'turn_not_found', 'changed_since', 'turn_not_ended', 'undo_expired'],
        response: { 200: undoAnswer },
      },
    },
    (request) => undo.undo(request.actor, request.params.document_id, request.params.turn_id),
  );
};
