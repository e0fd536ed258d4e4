import type { Role } from '@docwright/contract';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { MakeOperation } from '../client/operation.ts';
import type { CallOptions } from '../client/transport.ts';

/** Accounts and sessions. The `access_token` of an answer is the `token` of another client. */
export function createAuth(operation: MakeOperation) {
  const listSessions = operation('GET /v0/auth/sessions', 'query');
  return {
    /** Creates an account. Registering needs an invitation, except for the first account. */
    register: operation('POST /v0/auth/register', 'body'),
    /**
     * Starts a session.
     *
     * @throws DocwrightError `wrong_credentials`; `second_factor_needed` if `code` is missing
     * @example
     * ```ts
     * import { createDocwright } from '@docwright/sdk';
     *
     * const baseUrl = 'http://127.0.0.1:3000';
     * const body = { email: 'ada@contoso.com', password: 'a long password' };
     * const { access_token: token } = await createDocwright({ baseUrl }).auth.login(body);
     * const docwright = createDocwright({ baseUrl, token });
     * console.log((await docwright.auth.me()).user.name);
     * ```
     */
    login: operation('POST /v0/auth/login', 'body'),
    /** Ends the session of this client's `access_token`. An access token is not revoked. */
    logout: operation('POST /v0/auth/logout'),
    /** The signed-in user and the user's organizations. */
    me: operation('GET /v0/me'),
    /** Changes the password and ends all other sessions of the user. The current session and access tokens stay valid. */
    changePassword: operation('PUT /v0/auth/password', 'body'),
    /** Whether a sign-in needs a code. Like the calls below, it needs a session, not an access token. */
    getSecondFactor: operation('GET /v0/auth/second_factor'),
    /** A secret for an authenticator app, to be confirmed within 15 minutes. */
    proposeSecondFactor: operation('POST /v0/auth/second_factor/totp', 'body'),
    /** Turns the second factor on, with a code of the app. The recovery codes are shown only once. */
    confirmSecondFactor: operation('POST /v0/auth/second_factor/totp/confirm', 'body'),
    /** Replaces the recovery codes. The new ones are shown only once. */
    renewRecoveryCodes: operation('POST /v0/auth/second_factor/recovery_codes', 'body'),
    /** Turns the second factor off. */
    removeSecondFactor: operation('POST /v0/auth/second_factor/remove', 'body'),
    /** The user's sessions, the newest first. Like the calls below, it needs a session, not an access token. */
    listSessions,
    /** Yields all sessions of the user, the newest first. */
    listAllSessions: listAllOf(listSessions, ({ sessions }) => sessions),
    /** Ends one session. */
    endSession: operation('DELETE /v0/auth/sessions/:session_id'),
    /**
     * Ends all sessions. `keep_current` excepts the current one; `access_tokens` also revokes the tokens that the user
     * created.
     */
    endSessions: operation('DELETE /v0/auth/sessions', 'query'),
  };
}

/** Organizations of the signed-in user. */
export function createOrganizations(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs', 'query');
  return {
    /** Lists a page of the user's organizations. */
    list,
    /** Yields all organizations of the user. */
    listAll: listAllOf(list, ({ organizations }) => organizations),
    /** Creates an organization with the user as its admin. */
    create: api.operation('POST /v0/orgs', 'body'),
    /** The organization that this client works in. */
    get: api.operation('GET /v0/orgs/:org_id'),
    /** Changes the given settings of the organization. For admins. */
    update: api.operation('PATCH /v0/orgs/:org_id', 'body'),
  };
}

/** Members of the organization, and invitations to it. */
export function createMembers(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/members', 'query');
  const listInvitations = api.operation('GET /v0/orgs/:org_id/invitations', 'query');
  return {
    /** Lists a page of members. */
    list,
    /** Yields all members. */
    listAll: listAllOf(list, ({ members }) => members),
    /** Adds an existing user, or creates an invitation. The token of the invitation is shown only once. For admins. */
    add: api.operation('POST /v0/orgs/:org_id/members', 'body'),
    /** Changes the role of a member. For admins. */
    changeRole: (userId: string, role: Role, options?: CallOptions) =>
      api.operation('PATCH /v0/orgs/:org_id/members/:user_id', 'body')(userId, { role }, options),
    /** Removes a member from the organization. Admins can remove others, and every member can leave. */
    remove: api.operation('DELETE /v0/orgs/:org_id/members/:user_id'),
    /**
     * Ends all sessions of a member, in every organization, and revokes the member's access tokens of this one. For
     * admins.
     */
    signOut: api.operation('DELETE /v0/orgs/:org_id/members/:user_id/sessions'),
    /** Unused invitations, the newest first, without their tokens. For admins. */
    listInvitations,
    /** Yields all unused invitations. For admins. */
    listAllInvitations: listAllOf(listInvitations, ({ invitations }) => invitations),
    /** Revokes an unused invitation. For admins. */
    revokeInvitation: api.operation('DELETE /v0/orgs/:org_id/invitations/:invitation_id'),
  };
}

/** Access tokens of the signed-in user in the organization. */
export function createAccessTokens(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/access_tokens', 'query');
  return {
    /** Lists a page of tokens, without their secrets. */
    list,
    /** Yields all tokens, without their secrets. */
    listAll: listAllOf(list, ({ access_tokens }) => access_tokens),
    /** Creates a token. The answer's `token` is shown only once. An access token cannot create another one. */
    create: api.operation('POST /v0/orgs/:org_id/access_tokens', 'body'),
    /** Revokes a token. */
    delete: api.operation('DELETE /v0/orgs/:org_id/access_tokens/:token_id'),
  };
}
