import { auditUndoAnswer, objectId, undoAnswer } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { UndoService } from './undo-service.ts';
import type { UndoWrite } from './write-undo-service.ts';

const turnPath = z.object({ org_id: objectId, document_id: objectId, turn_id: objectId });

/** Undoing a turn, for whoever started it; also one that deleted its own document. */
export const undoRoutes: FastifyPluginAsyncZod<{ services: { undo: UndoService; undoWrite: UndoWrite } }> = async (
  app,
  { services: { undo, undoWrite } },
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

  app.post(
    '/v0/orgs/:org_id/audit/:entry_id/undo',
    {
      schema: {
        tags: ['audit'],
        operationId: 'undoWrite',
        summary: 'Undo a single write',
        description:
          'Takes back what a write outside of a conversation changed: of the API, or an extraction of a run or schedule; of an accepted or rejected proposal, its documents wait again. For who wrote it, and admins. Where something has changed meanwhile, nothing is undone and `changed_since` names it. Turns and runs are undone as a whole by their own routes. Offered for 30 days. The same again gives the same answer.',
        params: z.object({ org_id: objectId, entry_id: objectId }),
        errors: ['viewer_cannot_write', 'audit_entry_not_found', 'changed_since', 'not_undoable', 'undo_expired'],
        response: { 200: auditUndoAnswer },
      },
    },
    (request) => undoWrite(request.actor, request.params.entry_id),
  );
};
