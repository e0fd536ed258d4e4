import { undoBody } from '../approvals/audit.ts';
import { describeOperations } from '../base/describe-operations.ts';
import { trashDays } from '../documents/trash.ts';
import {
  bulkEstimate,
  createDocumentBulkBody,
  documentBulk,
  documentBulkEvent,
  documentBulkList,
  documentBulkListQuery,
  estimateDocumentBulkBody,
  maxBulkDocuments,
  maxModelBulkDocuments,
} from './document-bulk.ts';

export const bulkJobOperations = describeOperations('bulk jobs', {
  'POST /v0/orgs/:org_id/documents/bulk': {
    operationId: 'createDocumentBulk',
    summary: 'Run one action on many documents',
    description: `Creates one job for the documents of \`document_ids\`, or for all documents that match \`query\`: the query of the document list (\`name_search\`, \`tag_ids\`, \`state\`, \`sort\`, \`order\`; \`{}\` matches all), or of the trash for \`restore\` and \`purge\`. The documents are chosen now; later ones are not touched. \`expected_count\` is the number that was shown to the user: if another number matches, nothing is done (409 \`selection_changed\`, with \`details.count\`). \`purge\` with a \`query\` needs it.

- \`tag\`, \`untag\`: add or remove \`tag_ids\`
- \`delete\`: moves documents to the trash for ${trashDays} days; \`restore\`: restores them; \`purge\`: removes documents in the trash for good
- \`extract\`: uses the current revision of \`prompt_id\`, or each document's own prompt, but not that of a proposal that waits for a decision (\`…/bulk/estimate\` shows both and the cost; with \`only_estimated\`, documents without a prompt are left out instead of failing). An edited or verified result is never replaced: its document is counted in \`skipped\`
- \`auto_create\`: makes the agent propose a schema, a prompt and an extraction; \`message\` replaces its first message
- \`message\`: sends \`message\` to the agent of each document; of the tools that write, those in \`auto_approved_tools\` run

The last three are runs (\`run_id\`) and accept ${maxModelBulkDocuments} documents at most, the others ${maxBulkDocuments}. The answer is the job as it starts; \`…/bulk/{bulk_id}/events\` sends its progress.`,
    body: createDocumentBulkBody.meta({
      examples: [
        { query: { name_search: 'letter', sort: 'document_name' }, action: 'delete', expected_count: 212 },
        {
          document_ids: ['6650f1c2a4b3d2e1f0a9b8c7'],
          action: 'tag',
          tag_ids: ['6650f1c2a4b3d2e1f0a9b8c8'],
        },
      ],
    }),
    errors: [
      'action_fields',
      'confirm_required',
      'documents_needed',
      'model_not_enabled',
      'too_many_documents',
      'unknown_reference',
      'unknown_tool',
      'viewer_cannot_write',
      'selection_changed',
      'too_many_bulk_jobs',
      'too_many_runs',
    ],
    response: { 201: documentBulk },
  },
  'POST /v0/orgs/:org_id/documents/bulk/estimate': {
    operationId: 'estimateDocumentBulk',
    summary: 'Estimate an extraction or a preparation of many documents',
    description:
      'Nothing runs. Says which prompt each document of an `extract` would use, what that costs, and how many documents would have none. The prompt of a proposal that waits for a decision runs only if `prompt_id` names it. With the action `auto_create`, `prepared` says what the agent would prepare, and the cost as that of the last preparations.',
    body: estimateDocumentBulkBody.meta({ examples: [{ query: { name_search: 'letter' } }] }),
    errors: ['documents_needed', 'too_many_documents', 'unknown_reference'],
    response: { 200: bulkEstimate },
  },
  'GET /v0/orgs/:org_id/documents/bulk': {
    operationId: 'listDocumentBulks',
    summary: 'List bulk jobs, newest first',
    description: 'Lists the caller’s own jobs; admins see all. Jobs are kept for 90 days.',
    querystring: documentBulkListQuery,
    response: { 200: documentBulkList },
  },
  'GET /v0/orgs/:org_id/documents/bulk/:bulk_id': {
    operationId: 'getDocumentBulk',
    summary: 'Get a bulk job',
    errors: ['bulk_not_found'],
    response: { 200: documentBulk },
  },
  'GET /v0/orgs/:org_id/documents/bulk/:bulk_id/events': {
    operationId: 'followDocumentBulk',
    summary: 'Follow a bulk job (SSE)',
    description:
      'Sends an event `bulk` at once and with each change, and `done` at the end, both with the job under `bulk`. While the job is being undone the stream follows the undo.',
    errors: ['bulk_not_found', 'too_many_streams'],
    response: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: documentBulkEvent } } },
    },
  },
  'POST /v0/orgs/:org_id/documents/bulk/:bulk_id/stop': {
    operationId: 'stopDocumentBulk',
    summary: 'Stop a bulk job',
    description: 'It ends after the documents in progress. Changes so far stay and can be undone.',
    errors: ['viewer_cannot_write', 'bulk_not_found', 'bulk_ended', 'run_ended'],
    response: { 200: documentBulk },
  },
  'POST /v0/orgs/:org_id/documents/bulk/:bulk_id/undo': {
    operationId: 'undoDocumentBulk',
    summary: 'Undo a bulk job',
    description: `Possible within ${trashDays} days of its end: removes added tags, adds removed tags, restores deleted documents, and moves restored documents back to the trash. Documents that the job did not change stay as they are, as do later changes by users. Answers at once; \`undo\` of the job and \`…/events\` have the progress. Conflicts are in \`undo.conflicts\`; undoing again retries them. A job that is a run (\`run_id\`) is undone like its run. A \`purge\` cannot be undone. A restored document with a result that a user has verified goes back to the trash only with \`including_verified: true\` (409 \`documents_verified\`).`,
    body: undoBody,
    errors: [
      'viewer_cannot_write',
      'bulk_not_found',
      'bulk_active',
      'bulk_not_undoable',
      'documents_verified',
      'undo_expired',
      'run_not_ended',
      'not_yours',
      'run_not_found',
    ],
    response: { 202: documentBulk },
  },
});
