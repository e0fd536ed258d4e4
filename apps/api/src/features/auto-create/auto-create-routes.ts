import { acceptProposalBody, document, objectId, rejectProposalBody, startAutoCreateBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { AutoCreateService } from './auto-create-service.ts';

const operation = operationsOf('auto-create');
const params = z.object({ org_id: objectId, document_id: objectId });
const url = '/v0/orgs/:org_id/documents/:document_id/auto_create';

export const autoCreateRoutes: FastifyPluginAsyncZod<{
  services: { autoCreate: (actor: Actor) => AutoCreateService };
}> = async (app, { services: { autoCreate } }) => {
  app.post(
    url,
    operation({
      operationId: 'startAutoCreate',
      summary: 'Propose a schema, a prompt and an extraction for a document',
      description:
        'Queues an unattended run of the document agent. All tools are allowed except by deny rules. A call that needs approval is denied, or waits in the inbox with `on_ask: "park"` (default: the organization’s `auto_create_on_ask`); `auto_create.waiting` is set meanwhile. The run ends after `HEADLESS_TIMEOUT_SECONDS`. `auto_create.status` is `running`, then `proposed` or `failed`; follow it with the document’s events. A pending proposal is rejected first; a result of it that a user has verified needs `including_verified: true` (409 `proposal_verified`).',
      params,
      body: startAutoCreateBody.nullish(),
      errors: [
        'viewer_cannot_write',
        'document_not_found',
        'auto_create_running',
        'proposal_pending',
        'document_has_no_text',
        'proposal_verified',
        'document_not_read_yet',
      ],
      response: { 202: document },
    }),
    async (request, reply) => {
      const started = await autoCreate(request.actor).start(request.params.document_id, request.body ?? {});
      return reply.code(202).send(started);
    },
  );

  app.post(
    `${url}/accept`,
    operation({
      operationId: 'acceptProposal',
      summary: 'Accept the proposal of a document',
      description:
        'The prompt becomes a regular one. A `tag_id` is set on the document and, as a new revision, on the prompt, which then applies to every document with that tag.',
      params,
      body: acceptProposalBody.nullish(),
      errors: ['unknown_reference', 'viewer_cannot_write', 'document_not_found', 'not_proposed'],
      response: { 200: document },
    }),
    (request) => autoCreate(request.actor).accept(request.params.document_id, request.body ?? {}),
  );

  app.post(
    `${url}/reject`,
    operation({
      operationId: 'rejectProposal',
      summary: 'Reject the proposal of a document',
      description:
        'Removes the schema, the prompt and the extraction of the proposal, including later refinements. A schema that another prompt uses stays. A result that a user has verified is removed only with `including_verified: true` (409 `proposal_verified`).',
      params,
      body: rejectProposalBody.nullish(),
      errors: ['viewer_cannot_write', 'document_not_found', 'not_proposed', 'proposal_verified'],
      response: { 200: document },
    }),
    (request) => autoCreate(request.actor).reject(request.params.document_id, request.body ?? {}),
  );
};
