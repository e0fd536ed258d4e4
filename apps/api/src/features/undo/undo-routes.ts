import { auditUndoAnswer, objectId, undoAnswer, undoBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { UndoService } from './undo-service.ts';
import type { UndoWrite } from './write-undo-service.ts';

const operation = operationsOf('chat');

const turnPath = z.object({ org_id: objectId, document_id: objectId, turn_id: objectId });

/** Undo of turns and of single writes. A turn that deleted its own document can be undone too. */
export const undoRoutes: FastifyPluginAsyncZod<{ services: { undo: UndoService; undoWrite: UndoWrite } }> = async (
  app,
  { services: { undo, undoWrite } },
) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/chat/turns/:turn_id/undo',
    operation({
      operationId: 'undoTurn',
      summary: 'Undo a turn',
      description:
        'Undoes the writes of a turn, newest first: changes are undone as new revisions, created records are removed, deleted ones are restored under their ids. All or nothing: if a record has changed since, nothing is undone and `changed_since` names it. Only the user who started the turn can undo it, within 30 days. A document of a split with a result that a user has verified is removed only with `including_verified: true` (409 `documents_verified`). A repeated request gives the same answer.',
      params: turnPath,
      body: undoBody,
      errors: [
        'viewer_cannot_write',
        'turn_not_found',
        'changed_since',
        'documents_verified',
        'turn_not_ended',
        'undo_expired',
      ],
      response: { 200: undoAnswer },
    }),
    (request) => undo.undo(request.actor, request.params.document_id, request.params.turn_id, request.body),
  );

  app.post(
    '/v0/orgs/:org_id/audit/:entry_id/undo',
    {
      schema: {
        tags: ['audit'],
        operationId: 'undoWrite',
        summary: 'Undo a single write',
        description:
          'Undoes a write outside of a conversation: of the API, or an extraction of a run or schedule. Undoing an accepted or rejected proposal makes its documents pending again. For the user who wrote it, and admins, within 30 days. If a record has changed since, nothing is undone and `changed_since` names it. An uploaded or split document with a result that a user has verified is removed only with `including_verified: true` (409 `documents_verified`). Turns and runs have their own undo routes. A repeated request gives the same answer.',
        params: z.object({ org_id: objectId, entry_id: objectId }),
        body: undoBody,
        errors: [
          'viewer_cannot_write',
          'audit_entry_not_found',
          'changed_since',
          'documents_verified',
          'not_undoable',
          'undo_expired',
        ],
        response: { 200: auditUndoAnswer },
      },
    },
    (request) => undoWrite(request.actor, request.params.entry_id, request.body),
  );
};
