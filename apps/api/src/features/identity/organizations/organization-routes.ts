import {
  createOrganizationBody,
  membership,
  objectId,
  organizationList,
  pageQuery,
  patchOrganizationBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { OrganizationService } from './organization-service.ts';

const operation = operationsOf('organizations');
const organizationPath = z.object({ org_id: objectId });

export const organizationRoutes: FastifyPluginAsyncZod<{ services: { organizations: OrganizationService } }> = async (
  app,
  { services: { organizations } },
) => {
  app.get(
    '/v0/orgs',
    operation({
      operationId: 'listOrganizations',
      summary: 'List your organizations',
      description: 'Oldest membership first, each with your role.',
      querystring: pageQuery,
      response: { 200: organizationList },
    }),
    async (request) => organizations.list(request.principal, request.query),
  );

  app.post(
    '/v0/orgs',
    operation({
      operationId: 'createOrganization',
      summary: 'Create an organization',
      description: 'The creator is its first admin.',
      body: createOrganizationBody,
      errors: ['token_is_for_one_organization'],
      response: { 201: membership },
    }),
    async (request, reply) => reply.code(201).send(await organizations.create(request.principal, request.body.name)),
  );

  app.get(
    '/v0/orgs/:org_id',
    operation({
      operationId: 'getOrganization',
      summary: 'Get an organization',
      params: organizationPath,
      response: { 200: membership },
    }),
    async (request) => organizations.get(request.actor),
  );

  app.patch(
    '/v0/orgs/:org_id',
    operation({
      operationId: 'updateOrganization',
      summary: 'Rename an organization or change its defaults',
      description:
        'For admins. `auto_create_default` applies to uploads that do not set it; `auto_create_on_ask` decides about a proposal’s calls that need approval: they are denied (`deny`), or wait for a decision in the inbox (`park`). `on_duplicate` decides about uploads with the bytes of a document that exists. `time_zone` (an IANA name) and `language` (a BCP 47 tag) hold for requests to the agents that name none, and for unattended runs. `evaluate_before_approval`: whether the effect of a changed prompt or schema on verified results is measured before it is approved (`off`, `ask`: on request, `auto`: always); `evaluation_budget_spu` limits an automatic measurement, and `evaluate_change` of an agent needs approval above `evaluation_ask_above` documents. With `require_second_factor`, users need a sign-in with a second factor; access tokens are not affected. `keep_conversations_days`: conversations that nobody used for so many days are removed with their turns (`null` keeps them for ever, the default); a conversation in which a call waits for a decision stays.',
      params: organizationPath,
      body: patchOrganizationBody,
      errors: ['admin_required', 'own_second_factor_first'],
      response: { 200: membership },
    }),
    async (request) => organizations.update(request.actor, request.principal, request.body),
  );
};
