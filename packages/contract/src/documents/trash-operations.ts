import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { document } from './documents.ts';
import { trashDays, trashList, trashListQuery } from './trash.ts';

export const trashOperations = describeOperations('trash', {
  'GET /v0/orgs/:org_id/documents/trash': {
    operationId: 'listTrash',
    summary: 'List deleted documents, last deleted first by default',
    description: `Documents that users and agents deleted within ${trashDays} days, with the user who deleted them and the time of their final removal. No other list shows them.`,
    querystring: trashListQuery,
    response: { 200: trashList },
  },
  'POST /v0/orgs/:org_id/documents/:document_id/restore': {
    operationId: 'restoreDocument',
    summary: 'Restore a document from the trash',
    description:
      'Restores its text, results, conversations and tags, except for tags that were deleted meanwhile. To restore many at once, use the action `restore` of `POST …/documents/bulk`.',
    errors: ['viewer_cannot_write', 'document_not_found'],
    response: { 200: document },
  },
  'DELETE /v0/orgs/:org_id/documents/trash/:document_id': {
    operationId: 'purgeDocument',
    summary: 'Remove a document in the trash for good',
    description:
      'Removes everything that belongs to it. This cannot be undone. To empty the trash, use the action `purge` of `POST …/documents/bulk` with an empty `query`.',
    errors: ['viewer_cannot_write', 'document_not_found'],
    response: { 204: z.undefined() },
  },
});
