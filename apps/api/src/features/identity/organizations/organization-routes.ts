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
import type { OrganizationService } from './organization-service.ts';

const tags = ['organizations'];
const organizationPath = z.object({ org_id: objectId });

export const organizationRoutes: FastifyPluginAsyncZod<{ services: { organizations: OrganizationService } }> = async (
  app,
  { services: { organizations } },
) => {
  app.get(
    '/v0/orgs',
    {
      schema: {
        tags,
        operationId: 'listOrganizations',
        summary: 'List the organizations one belongs to',
        description: 'Oldest membership first, each with the role one has there.',
        querystring: pageQuery,
        response: { 200: organizationList },
      },
    },
    async (request) => organizations.list(request.principal, request.query),
  );

  app.post(
    '/v0/orgs',
    {
      schema: {
        tags,
        operationId: 'createOrganization',
        summary: 'Create an organization',
        description: 'Whoever founds it is its first admin.',
        body: createOrganizationBody,
        errors: ['token_is_for_one_organization'],
        response: { 201: membership },
      },
    },
    async (request, reply) => reply.code(201).send(await organizations.create(request.principal, request.body.name)),
  );

  app.get(
    '/v0/orgs/:org_id',
    {
      schema: {
        tags,
        operationId: 'getOrganization',
        summary: 'Get an organization',
        params: organizationPath,
        response: { 200: membership },
      },
    },
    async (request) => organizations.get(request.actor),
  );

  app.patch(
    '/v0/orgs/:org_id',
    {
      schema: {
        tags,
        operationId: 'updateOrganization',
        summary: 'Rename an organization or change its defaults',
        description:
          'For admins. `auto_create_default` is what uploads do that say nothing themselves; `auto_create_on_ask` is what becomes of a call of a proposal that would have to ask: it is denied (`deny`), or waits for a decision in the inbox (`park`). `evaluate_before_approval`: whether the effect of a changed prompt or schema on verified results is measured before it is approved (`off`, `ask`: on request, `auto`: always); `evaluation_budget_spu` is the most that one measurement uses which nobody started by hand. With `require_second_factor` people reach the organization only after a sign-in with a second factor; access tokens go on.',
        params: organizationPath,
        body: patchOrganizationBody,
        errors: ['admin_required', 'own_second_factor_first'],
        response: { 200: membership },
      },
    },
    async (request) => organizations.update(request.actor, request.principal, request.body),
  );
};
