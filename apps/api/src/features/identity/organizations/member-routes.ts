import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { MemberService } from './member-service.ts';

export const memberRoutes: FastifyPluginAsync<{ services: { members: MemberService } }> = async (
  app,
  { services: { members } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/members', ({ actor, query }) => members.list(actor, query));
  route('POST /v0/orgs/:org_id/members', ({ actor, body }) => members.add(actor, body.email, body.role));
  route('PATCH /v0/orgs/:org_id/members/:user_id', ({ actor, params, body }) =>
    members.changeRole(actor, params.user_id, body.role, body.seen),
  );
  route('DELETE /v0/orgs/:org_id/members/:user_id', ({ actor, params }) => members.remove(actor, params.user_id));
  route('DELETE /v0/orgs/:org_id/members/:user_id/sessions', ({ actor, params }) =>
    members.signOut(actor, params.user_id),
  );
  route('GET /v0/orgs/:org_id/invitations', ({ actor, query }) => members.listInvitations(actor, query));
  route('DELETE /v0/orgs/:org_id/invitations/:invitation_id', ({ actor, params }) =>
    members.revokeInvitation(actor, params.invitation_id),
  );
  route('POST /v0/invitations/accept', ({ principal, body }) => members.acceptInvitation(principal, body.token));
};
