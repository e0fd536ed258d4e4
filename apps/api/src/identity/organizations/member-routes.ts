import {
  addMemberAnswer,
  addMemberBody,
  member,
  memberList,
  memberPath,
  objectId,
  pageQuery,
  patchMemberBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { MemberService } from './member-service.ts';

const tags = ['organizations'];
const organizationPath = z.object({ org_id: objectId });

export const memberRoutes: FastifyPluginAsyncZod<{ services: { members: MemberService } }> = async (
  app,
  { services: { members } },
) => {
  app.get(
    '/v0/orgs/:org_id/members',
    {
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List who belongs to an organization',
        params: organizationPath,
        querystring: pageQuery,
        response: { 200: memberList },
      },
    },
    async (request) => members.list(request.actor, request.query),
  );

  app.post(
    '/v0/orgs/:org_id/members',
    {
      schema: {
        tags,
        operationId: 'addMember',
        summary: 'Add a member or invite one',
        description:
          'For admins. Who has an account joins at once (`member`); anybody else registers with the `invitation.token`, which holds for 7 days and for that e-mail address.',
        params: organizationPath,
        body: addMemberBody,
        errors: ['admin_required', 'already_member'],
        response: { 201: addMemberAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await members.add(request.actor, request.body.email, request.body.role)),
  );

  app.patch(
    '/v0/orgs/:org_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'updateMember',
        summary: "Change a member's role",
        description: 'For admins. The last admin stays admin.',
        params: memberPath,
        body: patchMemberBody,
        errors: ['last_admin', 'admin_required'],
        response: { 200: member },
      },
    },
    async (request) => members.changeRole(request.actor, request.params.user_id, request.body.role),
  );

  app.delete(
    '/v0/orgs/:org_id/members/:user_id',
    {
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member, or leave',
        description: 'For admins, and for oneself. The access tokens the person made there end; the last admin stays.',
        params: memberPath,
        errors: ['last_admin', 'admin_required'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await members.remove(request.actor, request.params.user_id);
      return reply.code(204).send();
    },
  );
};
