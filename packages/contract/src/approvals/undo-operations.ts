import { describeOperations } from '../base/describe-operations.ts';
import { undoBody } from './audit.ts';
import { undoAnswer } from '../chat/turn-answer.ts';

export const undoOperations = describeOperations('chat', {
  'POST /v0/orgs/:org_id/documents/:document_id/chat/turns/:turn_id/undo': {
    operationId: 'undoTurn',
    summary: 'Undo a turn',
    description:
      'Undoes the writes of a turn, newest first: changes are undone as new revisions, created records are removed, deleted ones are restored under their ids. All or nothing: if a record has changed since, nothing is undone and `changed_since` names it. Only the user who started the turn can undo it, within 30 days. A document of a split with a result that a user has verified is removed only with `including_verified: true` (409 `documents_verified`). A release is not undone so, but by the withdrawal of the verification: of a turn that has only released, the answer is 409 `not_undoable`. A repeated request gives the same answer.',
    body: undoBody,
    errors: [
      'viewer_cannot_write',
      'turn_not_found',
      'changed_since',
      'documents_verified',
      'turn_not_ended',
      'not_undoable',
      'undo_expired',
    ],
    response: { 200: undoAnswer },
  },
});
