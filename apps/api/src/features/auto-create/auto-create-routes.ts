import { acceptProposalBody, document, objectId, startAutoCreateBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { AutoCreateService } from './auto-create-service.ts';

const tags = ['auto-create'];
const params = z.object({ org_id: objectId, document_id: objectId });
const url = '/v0/orgs/:org_id/documents/:document_id/auto_create';

export const autoCreateRoutes: FastifyPluginAsyncZod<{
  services: { autoCreate: (actor: Actor) => AutoCreateService };
}> = async (app, { services: { autoCreate } }) => {
  app.post(
    url,
    {
      schema: {
        tags,
        operationId: 'startAutoCreate',
        summary: 'Propose a schema, a prompt and an extraction for a document',
        description:
          'Queues a run of the document agent without a person: every tool is allowed save by a rule that denies. What a rule asks about is denied, or waits for a decision in the inbox with `on_ask: "park"` (the organization’s `auto_create_on_ask` where it is left out); `auto_create.waiting` says so meanwhile. It ends after `HEADLESS_TIMEOUT_SECONDS`. `auto_create.status` is `running`, then `proposed` or `failed`; follow it with the document’s events. A proposal that waits is rejected first.',
        params,
        body: startAutoCreateBody.nullish(),
        errors: [
          'viewer_cannot_write',
          'document_not_found',
          'auto_create_running',
          'proposal_pending',
          'document_has_no_text',
          'document_not_read_yet',
        ],
        response: { 202: document },
      },
    },
    async (request, reply) => {
      const started = await autoCreate(request.actor).start(request.params.document_id, request.body ?? {});
      return reply.code(202).send(started);
    },
  );

  app.post(
    `${url}/accept`,
    {
      schema: {
        tags,
        operationId: 'acceptProposal',
        summary: 'Accept what was proposed for a document',
        description:
          'The prompt becomes an ordinary one. A `tag_id` is set on the document and, as a new revision, on the prompt, which then applies to every document with that tag.',
        params,
        body: acceptProposalBody.nullish(),
        errors: ['unknown_reference', 'viewer_cannot_write', 'document_not_found', 'not_proposed'],
        response: { 200: document },
      },
    },
    (request) => autoCreate(request.actor).accept(request.params.document_id, request.body ?? {}),
  );

  app.post(
    `${url}/reject`,
    {
      schema: {
        tags,
        operationId: 'rejectProposal',
        summary: 'Reject what was proposed for a document',
        description:
          'Removes the schema, the prompt and the extraction of the proposal, with whatever has been refined of them since. A schema that another prompt uses by now stays.',
        params,
        errors: ['viewer_cannot_write', 'document_not_found', 'not_proposed'],
        response: { 200: document },
      },
    },
    (request) => autoCreate(request.actor).reject(request.params.document_id),
  );
};
