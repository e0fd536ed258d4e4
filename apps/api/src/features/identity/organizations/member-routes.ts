import {
  acceptInvitationBody,
  addMemberAnswer,
  addMemberBody,
  invitationList,
  invitationPath,
  member,
  memberList,
  memberPath,
  membership,
  objectId,
  pageQuery,
  patchMemberBody,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { MemberService } from './member-service.ts';

const operation = operationsOf('organizations');
const organizationPath = z.object({ org_id: objectId });

export const memberRoutes: FastifyPluginAsyncZod<{ services: { members: MemberService } }> = async (
  app,
  { services: { members } },
) => {
  app.get(
    '/v0/orgs/:org_id/members',
    operation({
      operationId: 'listMembers',
      summary: 'List the members of an organization',
      params: organizationPath,
      querystring: pageQuery,
      response: { 200: memberList },
    }),
    async (request) => members.list(request.actor, request.query),
  );

  app.post(
    '/v0/orgs/:org_id/members',
    operation({
      operationId: 'addMember',
      summary: 'Add a member or invite one',
      description:
        'For admins. A colleague from another of your organizations joins at once (`member`). All others get an invitation, with or without an account: they register or accept with the `invitation.token`, which is valid for 7 days, for that e-mail address, and while you are an admin.',
      params: organizationPath,
      body: addMemberBody,
      errors: ['admin_required', 'already_member'],
      response: { 201: addMemberAnswer },
    }),
    async (request, reply) =>
      reply.code(201).send(await members.add(request.actor, request.body.email, request.body.role)),
  );

  app.patch(
    '/v0/orgs/:org_id/members/:user_id',
    operation({
      operationId: 'updateMember',
      summary: "Change a member's role",
      description: 'For admins. The last admin stays admin.',
      params: memberPath,
      body: patchMemberBody,
      errors: ['last_admin', 'admin_required'],
      response: { 200: member },
    }),
    async (request) => members.changeRole(request.actor, request.params.user_id, request.body.role),
  );

  app.delete(
    '/v0/orgs/:org_id/members/:user_id',
    operation({
      operationId: 'removeMember',
      summary: 'Remove a member, or leave',
      description:
        'For admins, and for members themselves. Their access tokens in the organization end; the last admin cannot leave.',
      params: memberPath,
      errors: ['last_admin', 'admin_required'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await members.remove(request.actor, request.params.user_id);
      return reply.code(204).send();
    },
  );

  app.delete(
    '/v0/orgs/:org_id/members/:user_id/sessions',
    operation({
      operationId: 'signOutMember',
      summary: 'Sign a member out everywhere',
      description:
        'For admins, after a lost password or device. Ends all sessions of the member, in every organization, and their access tokens in this one.',
      params: memberPath,
      errors: ['admin_required'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await members.signOut(request.actor, request.params.user_id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/orgs/:org_id/invitations',
    operation({
      operationId: 'listInvitations',
      summary: 'List open invitations',
      description: 'For admins. Newest first; without their tokens, which are shown once.',
      params: organizationPath,
      querystring: pageQuery,
      errors: ['admin_required'],
      response: { 200: invitationList },
    }),
    async (request) => members.listInvitations(request.actor, request.query),
  );

  app.delete(
    '/v0/orgs/:org_id/invitations/:invitation_id',
    operation({
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'For admins. It can no longer be used.',
      params: invitationPath,
      errors: ['admin_required'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await members.revokeInvitation(request.actor, request.params.invitation_id);
      return reply.code(204).send();
    },
  );

  app.post(
    '/v0/invitations/accept',
    operation({
      operationId: 'acceptInvitation',
      summary: 'Join an organization with an invitation',
      description:
        'For signed-in users. The invitation must be for their e-mail address. Answers the organization with their role.',
      body: acceptInvitationBody,
      errors: ['invitation_not_valid', 'session_needed', 'no_account'],
      response: { 200: membership },
    }),
    async (request) => members.acceptInvitation(request.principal, request.body.token),
  );
};
