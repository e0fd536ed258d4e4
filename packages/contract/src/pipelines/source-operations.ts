import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pipelineListQuery, pluginInfo, pluginKind } from './pipeline.ts';
import {
  connectorTest,
  createSourceBody,
  source,
  sourceList,
  sourceSync,
  sourceSyncEvent,
  testConnectorBody,
  updateSourceBody,
} from './source.ts';

/** What a connector that cannot be read answers. */
const connectorErrors = [
  'admin_required',
  'viewer_cannot_write',
  'folder_not_allowed',
  'folder_missing',
  'source_unavailable',
  'source_refused',
  'source_host_refused',
  'bucket_missing',
  'mail_folder_missing',
  'secret_needed',
] as const;

export const sourceOperations = describeOperations('sources', {
  'GET /api/v2/sources': {
    operationId: 'listSources',
    summary: 'List sources, newest first',
    description: 'The sources of the organization in `X-Org-Id`. `document_count` is the current number of documents.',
    querystring: pipelineListQuery,
    response: { 200: sourceList },
  },
  'POST /api/v2/sources': {
    operationId: 'createSource',
    summary: 'Create a source',
    description:
      'A set of the organization’s documents: by `document_ids`, by `tag_ids` (documents with all of them), by part of the name, or by several of these together; without any, all documents. Tags and names are evaluated when the source is used. With a `connector` (for admins) the source fills itself: the files of a folder, within what the operator bound to the organization in `INLET_DIRS`, of a bucket that speaks S3, or of the mails of an IMAP folder become documents with `tag_ids`, each once; it is looked at `every` (15m by default), and while folders are written to. Secrets are encrypted, bound to the host and user, and come back masked.',
    body: createSourceBody.meta({ examples: [{ name: 'Contracts', name_search: 'contract' }] }),
    errors: ['unknown_reference', 'source_not_syncable', ...connectorErrors],
    response: { 201: source },
  },
  'POST /api/v2/sources/test': {
    operationId: 'testConnector',
    summary: 'Try a connector',
    description:
      'The first files that a sync would see; nothing is taken. With `source_id`, secrets that are left out or masked are those of the source, if host and user are the same. For admins.',
    body: testConnectorBody,
    errors: [...connectorErrors],
    response: { 200: connectorTest },
  },
  'GET /api/v2/sources/:source_id': {
    operationId: 'getSource',
    summary: 'Get a source',
    errors: ['source_not_found'],
    response: { 200: source },
  },
  'PATCH /api/v2/sources/:source_id': {
    operationId: 'updateSource',
    summary: 'Change a source that fills itself',
    description:
      'A new connector, interval or `enabled: true` makes a sync due. Tags hold for documents that come from now on. For admins.',
    body: updateSourceBody.meta({ examples: [{ enabled: false }] }),
    errors: ['unknown_reference', 'source_not_found', 'source_not_syncable', ...connectorErrors, 'version_conflict'],
    response: { 200: source },
  },
  'GET /api/v2/sources/:source_id/sync': {
    operationId: 'getSourceSync',
    summary: 'Get the last sync of a source',
    description: 'What it saw and took, and the first twenty files that it could not take, with the reason.',
    errors: ['source_not_found'],
    response: { 200: sourceSync },
  },
  'POST /api/v2/sources/:source_id/sync': {
    operationId: 'syncSource',
    summary: 'Look at the files of a source now',
    description: 'One process at a time syncs a source; a sync that runs is not started again.',
    errors: ['source_not_found', 'source_not_syncable', 'viewer_cannot_write'],
    response: { 202: sourceSync },
  },
  'GET /api/v2/sources/:source_id/sync/events': {
    operationId: 'followSync',
    summary: 'Follow the syncs of a source (SSE)',
    description:
      '`sync` with the state and counts: first as they are, then after each change. The stream does not end by itself. Any process can serve it.',
    errors: ['source_not_found', 'too_many_streams'],
    response: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: sourceSyncEvent } } },
    },
  },
  'DELETE /api/v2/sources/:source_id': {
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description: 'Its documents and the collections built from it stay.',
    errors: ['viewer_cannot_write', 'source_not_found'],
    response: { 204: z.undefined() },
  },
  'GET /api/v2/plugins': {
    operationId: 'listPlugins',
    summary: 'List the plugins of pipelines',
    description: 'Parsers, extractor, chunkers, embedder and index, each with the JSON Schema of its config.',
    querystring: z.object({ kind: pluginKind.optional() }),
    response: { 200: z.object({ plugins: z.array(pluginInfo) }) },
  },
});
