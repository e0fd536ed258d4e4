import { describeOperations } from '../base/describe-operations.ts';
import {
  createRunBody,
  matchingDocuments,
  matchingDocumentsBody,
  run,
  runDocumentList,
  runDocumentListQuery,
  runEvent,
  runList,
  runListQuery,
} from './runs.ts';

const visibility =
  'All members of the organization see the runs of schedules. Other runs are visible to their requester and to admins.';

export const runOperations = describeOperations('runs', {
  'GET /v0/orgs/:org_id/runs': {
    operationId: 'listRuns',
    summary: 'List runs',
    description: `Newest first. ${visibility}`,
    querystring: runListQuery,
    response: { 200: runList },
  },
  'POST /v0/orgs/:org_id/runs': {
    operationId: 'createRun',
    summary: 'Chat with many documents in the background',
    description:
      'For admins and members. Starts a chat with each document of `document_ids`, or with those that match `filter`, oldest first, 1,000 at most. Each chat has `message` as its only message and runs in the name of the caller. Read-only tools run; tools that write run if they are listed in `auto_approved_tools`. A call that needs a decision or an answer is denied at once, and permission rules apply as in the chat. The response is the started run. Each document has a time limit (`HEADLESS_TIMEOUT_SECONDS`); a slow or failed document does not delay the others.',
    body: createRunBody.meta({
      examples: [
        {
          filter: { tag_ids: ['6650f1c2a4b3d2e1f0a9b8c7'], without_result: true },
          message: 'Extract this invoice.',
          auto_approved_tools: ['run_extraction'],
        },
      ],
    }),
    errors: [
      'documents_needed',
      'model_not_enabled',
      'unknown_reference',
      'unknown_tool',
      'viewer_cannot_write',
      'too_many_runs',
    ],
    response: { 201: run },
  },
  'POST /v0/orgs/:org_id/runs/matching': {
    operationId: 'countMatchingDocuments',
    summary: 'Count the documents that a run would process',
    description:
      'Starts nothing. `matched` documents match `filter` now; a run would process `total` of them, at most `max_documents` (default: 1,000). With `prompt_id`, `without_result` selects documents without an extraction of that prompt.',
    body: matchingDocumentsBody.meta({ examples: [{ filter: { name_search: 'invoice', without_result: true } }] }),
    errors: ['unknown_reference'],
    response: { 200: matchingDocuments },
  },
  'GET /v0/orgs/:org_id/runs/:run_id': {
    operationId: 'getRun',
    summary: 'Get a run',
    description: visibility,
    errors: ['run_not_found'],
    response: { 200: run },
  },
  'GET /v0/orgs/:org_id/runs/:run_id/documents': {
    operationId: 'listRunDocuments',
    summary: 'List the result of each document of a run',
    description: 'Documents that could not be queued come first, then the others in the order of the queue.',
    querystring: runDocumentListQuery,
    errors: ['run_not_found'],
    response: { 200: runDocumentList },
  },
  'POST /v0/orgs/:org_id/runs/:run_id/stop': {
    operationId: 'stopRun',
    summary: 'Stop a run',
    description:
      'For its requester, the creator of its schedule, and admins. Queued documents are cancelled at once, running ones at their next safe point. Calls that wait for a decision are withdrawn, also if the run has ended already. The run is `stopped` when its last document has ended. Finished work stays.',
    errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_ended'],
    response: { 200: run },
  },
  'POST /v0/orgs/:org_id/runs/:run_id/undo': {
    operationId: 'undoRun',
    summary: 'Undo a run',
    description:
      'For its requester, the creator of its schedule, and admins, within 30 days. A worker undoes the writes of each document of the run, newest first, all or nothing for each document; pending calls are withdrawn. `undo` of the run and its events report the progress. Records that others have changed since stay and are listed in `conflicts`; a repeated undo tries them again.',
    errors: ['not_yours', 'viewer_cannot_write', 'run_not_found', 'run_not_ended', 'undo_expired'],
    response: { 202: run },
  },
  'GET /v0/orgs/:org_id/runs/:run_id/events': {
    operationId: 'followRun',
    summary: 'Follow a run (SSE)',
    description:
      'First `run` with its current state, then `document` for each started document and each of its changes, `run` for each change of the counts, the state or the undo, and `done` with the run when it has ended and no undo is running; then the stream ends. After a reconnect, the stream starts again with the current state. Any process can serve it.',
    errors: ['run_not_found', 'too_many_streams'],
    response: { 200: { description: 'The events.', content: { 'text/event-stream': { schema: runEvent } } } },
  },
});
