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
        summary: 'Take back what a turn changed',
        description:
          'Changes are taken back as new revisions, created things are removed, deleted ones come back under their ids; the newest write first. All or nothing: 409 `changed_since` names what has changed meanwhile, 409 `turn_not_ended` while the turn runs or waits, 410 `undo_expired` 30 days after it began. The same again gives the same answer.',
        params: turnPath,
        response: { 200: undoAnswer },
      },
    },
    (request) => undo.undo(request.actor, request.params.document_id, request.params.turn_id),
  );
};
