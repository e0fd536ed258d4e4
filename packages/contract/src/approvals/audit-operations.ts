import { describeOperations } from '../base/describe-operations.ts';
import { auditList, auditQuery, auditTools, auditUndoAnswer, undoBody } from './audit.ts';

export const auditOperations = describeOperations('audit', {
  'POST /v0/orgs/:org_id/audit/:entry_id/undo': {
    operationId: 'undoWrite',
    summary: 'Undo a single write',
    description:
      'Undoes a write outside of a conversation: of the API, or an extraction of a run or schedule. Undoing an accepted or rejected proposal makes its documents pending again. For the user who wrote it, and admins, within 30 days. If a record has changed since, nothing is undone and `changed_since` names it. An uploaded or split document with a result that a user has verified is removed only with `including_verified: true` (409 `documents_verified`). Turns and runs have their own undo routes. A repeated request gives the same answer.',
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
  'GET /v0/orgs/:org_id/audit': {
    operationId: 'listAuditEntries',
    summary: 'List proposals, decisions, executions, writes and undos',
    description:
      'Newest first. Admins see all entries, others those of their own calls. `decision` is `allow`, `ask` or `deny` for a decision of the permission rules (`rule_id` names the rule, if one applied), and `approved`, `rejected` or `answered` for a decision of the user. `arguments` is a JSON string as the rules saw it: with defaults, with probable secrets as `[redacted]`, and beyond 32,000 characters only as `{ "truncated": { "length", "start" } }`. `origin` is the channel of the call: a chat, the API, a run, a schedule, the arrival of a document, a client of the Model Context Protocol or a proposal. A single write of the API can be undone by `POST …/audit/{entry_id}/undo`. Entries never change.',
    querystring: auditQuery,
    response: { 200: auditList },
  },
  'GET /v0/orgs/:org_id/audit/tools': {
    operationId: 'listAuditTools',
    summary: 'List the tools in the audit log',
    description:
      'The names that entries have, for the filter `tool`: of all entries for admins, of their own for others.',
    response: { 200: auditTools },
  },
});
