import { auditList, auditQuery, auditTools, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { AuditService } from './audit-service.ts';

const operation = operationsOf('audit');

export const auditRoutes: FastifyPluginAsyncZod<{ services: { audit: (actor: Actor) => AuditService } }> = async (
  app,
  { services: { audit } },
) => {
  app.get(
    '/v0/orgs/:org_id/audit',
    operation({
      operationId: 'listAuditEntries',
      summary: 'List proposals, decisions, executions, writes and undos',
      description:
        'Newest first. Admins see all entries, others those of their own calls. `decision` is `allow`, `ask` or `deny` for a decision of the permission rules (`rule_id` names the rule, if one applied), and `approved`, `rejected` or `answered` for a decision of the user. `arguments` is a JSON string as the rules saw it: with defaults, with probable secrets as `[redacted]`, and beyond 32,000 characters only as `{ "truncated": { "length", "start" } }`. `origin` is the channel of the call: a chat, the API, a run, a schedule, the arrival of a document, a client of the Model Context Protocol or a proposal. A single write of the API can be undone by `POST …/audit/{entry_id}/undo`. Entries never change.',
      params: z.object({ org_id: objectId }),
      querystring: auditQuery,
      errors: ['cursor_not_valid'],
      response: { 200: auditList },
    }),
    async (request) => audit(request.actor).list(request.query),
  );

  app.get(
    '/v0/orgs/:org_id/audit/tools',
    operation({
      operationId: 'listAuditTools',
      summary: 'List the tools in the audit log',
      description:
        'The names that entries have, for the filter `tool`: of all entries for admins, of their own for others.',
      params: z.object({ org_id: objectId }),
      response: { 200: auditTools },
    }),
    async (request) => ({ tools: await audit(request.actor).tools() }),
  );
};
