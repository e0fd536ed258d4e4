import { auditList, auditQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { AuditService } from './audit-service.ts';

export const auditRoutes: FastifyPluginAsyncZod<{ services: { audit: (actor: Actor) => AuditService } }> = async (
  app,
  { services: { audit } },
) => {
  app.get(
    '/v0/orgs/:org_id/audit',
    {
      schema: {
        tags: ['audit'],
        operationId: 'listAuditEntries',
        summary: 'List what was proposed, who decided, what ran, what was written and what was undone',
        description:
          'The newest first; admins see all, others what was done in their own name. `decision` is `allow`, `ask` or `deny` where the permission rules decided (`rule_id` names the rule, where it was one), `approved`, `rejected` or `answered` where the person did. `arguments` is a JSON string as the rules saw it: defaults filled in, what looks like a secret as `[redacted]`, beyond 32,000 characters only `{ "truncated": { "length", "start" } }`. `origin` says through what the call came: a chat, the API, a run, a schedule, the arrival of a document, a client of the Model Context Protocol or a proposal; a single write of the API is undone by `POST …/audit/{entry_id}/undo`. Entries are never changed.',
        params: z.object({ org_id: objectId }),
        querystring: auditQuery,
        response: { 200: auditList },
      },
    },
    async (request) => audit(request.actor).list(request.query),
  );
};
