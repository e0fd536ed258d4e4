import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import {
  acceptInvitationBody,
  addMemberAnswer,
  addMemberBody,
  createOrganizationBody,
  invitationList,
  member,
  memberList,
  membership,
  organizationList,
  patchMemberBody,
  patchOrganizationBody,
} from './identity.ts';

export const organizationOperations = describeOperations('organizations', {
  'GET /v0/orgs/:org_id/members': {
    operationId: 'listMembers',
    summary: 'List the members of an organization',
    querystring: pageQuery,
    response: { 200: memberList },
  },
  'POST /v0/orgs/:org_id/members': {
    operationId: 'addMember',
    summary: 'Add a member or invite one',
    description:
      'For admins. A colleague from another of your organizations joins at once (`member`). All others get an invitation, with or without an account: they register or accept with the `invitation.token`, which is valid for 7 days, for that e-mail address, and while you are an admin.',
    body: addMemberBody,
    errors: ['admin_required', 'already_member'],
    response: { 201: addMemberAnswer },
  },
  'PATCH /v0/orgs/:org_id/members/:user_id': {
    operationId: 'updateMember',
    summary: "Change a member's role",
    description: 'For admins. The last admin stays admin.',
    body: patchMemberBody,
    errors: ['last_admin', 'admin_required', 'version_conflict'],
    response: { 200: member },
  },
  'DELETE /v0/orgs/:org_id/members/:user_id': {
    operationId: 'removeMember',
    summary: 'Remove a member, or leave',
    description:
      'For admins, and for members themselves. Their access tokens in the organization end; the last admin cannot leave.',
    errors: ['last_admin', 'admin_required'],
    response: { 204: z.undefined() },
  },
  'DELETE /v0/orgs/:org_id/members/:user_id/sessions': {
    operationId: 'signOutMember',
    summary: 'Sign a member out everywhere',
    description:
      'For admins, after a lost password or device. Ends all sessions of the member, in every organization, and their access tokens in this one.',
    errors: ['admin_required'],
    response: { 204: z.undefined() },
  },
  'GET /v0/orgs/:org_id/invitations': {
    operationId: 'listInvitations',
    summary: 'List open invitations',
    description: 'For admins. Newest first; without their tokens, which are shown once.',
    querystring: pageQuery,
    errors: ['admin_required'],
    response: { 200: invitationList },
  },
  'DELETE /v0/orgs/:org_id/invitations/:invitation_id': {
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'For admins. It can no longer be used.',
    errors: ['admin_required'],
    response: { 204: z.undefined() },
  },
  'POST /v0/invitations/accept': {
    operationId: 'acceptInvitation',
    summary: 'Join an organization with an invitation',
    description:
      'For signed-in users. The invitation must be for their e-mail address. Answers the organization with their role.',
    body: acceptInvitationBody,
    errors: ['invitation_not_valid', 'session_needed', 'no_account'],
    response: { 200: membership },
  },
  'GET /v0/orgs': {
    operationId: 'listOrganizations',
    summary: 'List your organizations',
    description: 'Oldest membership first, each with your role.',
    querystring: pageQuery,
    response: { 200: organizationList },
  },
  'POST /v0/orgs': {
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'The creator is its first admin.',
    body: createOrganizationBody,
    errors: ['token_is_for_one_organization'],
    response: { 201: membership },
  },
  'GET /v0/orgs/:org_id': {
    operationId: 'getOrganization',
    summary: 'Get an organization',
    response: { 200: membership },
  },
  'PATCH /v0/orgs/:org_id': {
    operationId: 'updateOrganization',
    summary: 'Rename an organization or change its defaults',
    description:
      'For admins. `auto_create_default` applies to uploads that do not set it; `auto_create_on_ask` decides about a proposal’s calls that need approval: they are denied (`deny`), or wait for a decision in the inbox (`park`). `on_duplicate` decides about uploads with the bytes of a document that exists. `time_zone` (an IANA name) and `language` (a BCP 47 tag) hold for requests to the agents that name none, and for unattended runs. `evaluate_before_approval`: whether the effect of a changed prompt or schema on verified results is measured before it is approved (`off`, `ask`: on request, `auto`: always); `evaluation_budget_spu` limits an automatic measurement, and `evaluate_change` of an agent needs approval above `evaluation_ask_above` documents. With `require_second_factor`, users need a sign-in with a second factor; access tokens are not affected. `keep_conversations_days`: conversations that nobody used for so many days are removed with their turns (`null` keeps them for ever, the default); a conversation in which a call waits for a decision stays.',
    body: patchOrganizationBody,
    errors: ['admin_required', 'own_second_factor_first', 'version_conflict'],
    response: { 200: membership },
  },
});
