import type {
  accessTokenList,
  addMemberAnswer,
  addMemberBody,
  changePasswordBody,
  createAccessTokenBody,
  createdAccessToken,
  createOrganizationBody,
  endSessionsQuery,
  invitationList,
  loginAnswer,
  loginBody,
  Me,
  Member,
  memberList,
  Membership,
  organizationList,
  patchOrganizationBody,
  passwordAndCodeBody,
  proposedSecondFactor,
  recoveryCodes,
  registerAnswer,
  registerBody,
  Role,
  SecondFactorState,
  sessionList,
} from '@docwright/contract';
import type { z } from 'zod';
import { pathOf, queryString } from '../client/address.ts';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions, Transport } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

type OrganizationList = z.infer<typeof organizationList>;
type SessionList = z.infer<typeof sessionList>;
type InvitationList = z.infer<typeof invitationList>;
type MemberList = z.infer<typeof memberList>;
type AccessTokenList = z.infer<typeof accessTokenList>;

/** Accounts and sessions. The `access_token` of an answer is the `token` of another client. */
export function createAuth(transport: Transport) {
  const listSessions = (query: PageRequest = {}, options?: CallOptions): Promise<SessionList> =>
    transport.json(`/v0/auth/sessions${queryString({ ...query })}`, { ...options });
  return {
    /** Creates an account. Registering needs an invitation, except for the first account. */
    register: (body: z.input<typeof registerBody>, options?: CallOptions): Promise<z.infer<typeof registerAnswer>> =>
      transport.json('/v0/auth/register', { ...options, method: 'POST', body }),
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
    login: (body: z.input<typeof loginBody>, options?: CallOptions): Promise<z.infer<typeof loginAnswer>> =>
      transport.json('/v0/auth/login', { ...options, method: 'POST', body }),
    /** Ends the session of this client's `access_token`. An access token is not revoked. */
    logout: (options?: CallOptions): Promise<void> => transport.done('/v0/auth/logout', { ...options, method: 'POST' }),
    /** The signed-in user and the user's organizations. */
    me: (options?: CallOptions): Promise<Me> => transport.json('/v0/me', { ...options }),
    /** Changes the password and ends all other sessions of the user. The current session and access tokens stay valid. */
    changePassword: (body: z.input<typeof changePasswordBody>, options?: CallOptions): Promise<void> =>
      transport.done('/v0/auth/password', { ...options, method: 'PUT', body }),
    /** Whether a sign-in needs a code. Like the calls below, it needs a session, not an access token. */
    getSecondFactor: (options?: CallOptions): Promise<SecondFactorState> =>
      transport.json('/v0/auth/second_factor', { ...options }),
    /** A secret for an authenticator app, to be confirmed within 15 minutes. */
    proposeSecondFactor: (
      body: { password: string },
      options?: CallOptions,
    ): Promise<z.infer<typeof proposedSecondFactor>> =>
      transport.json('/v0/auth/second_factor/totp', { ...options, method: 'POST', body }),
    /** Turns the second factor on, with a code of the app. The recovery codes are shown only once. */
    confirmSecondFactor: (body: { code: string }, options?: CallOptions): Promise<z.infer<typeof recoveryCodes>> =>
      transport.json('/v0/auth/second_factor/totp/confirm', { ...options, method: 'POST', body }),
    /** Replaces the recovery codes. The new ones are shown only once. */
    renewRecoveryCodes: (
      body: z.input<typeof passwordAndCodeBody>,
      options?: CallOptions,
    ): Promise<z.infer<typeof recoveryCodes>> =>
      transport.json('/v0/auth/second_factor/recovery_codes', { ...options, method: 'POST', body }),
    /** Turns the second factor off. */
    removeSecondFactor: (body: z.input<typeof passwordAndCodeBody>, options?: CallOptions): Promise<void> =>
      transport.done('/v0/auth/second_factor/remove', { ...options, method: 'POST', body }),
    /** The user's sessions, the newest first. Like the calls below, it needs a session, not an access token. */
    listSessions,
    /** Yields all sessions of the user, the newest first. */
    listAllSessions: listAllOf(listSessions, ({ sessions }) => sessions),
    /** Ends one session. */
    endSession: (sessionId: string, options?: CallOptions): Promise<void> =>
      transport.done(`/v0/auth/sessions${pathOf([sessionId])}`, { ...options, method: 'DELETE' }),
    /**
     * Ends all sessions. `keep_current` excepts the current one; `access_tokens` also revokes the tokens that the user
     * created.
     */
    endSessions: (query: Partial<z.output<typeof endSessionsQuery>> = {}, options?: CallOptions): Promise<void> =>
      transport.done(`/v0/auth/sessions${queryString({ ...query })}`, { ...options, method: 'DELETE' }),
  };
}

/** Organizations of the signed-in user. */
export function createOrganizations(transport: Transport, api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<OrganizationList> =>
    transport.json(`/v0/orgs${queryString({ ...query })}`, { ...options });
  return {
    /** Lists a page of the user's organizations. */
    list,
    /** Yields all organizations of the user. */
    listAll: listAllOf(list, ({ organizations }) => organizations),
    /** Creates an organization with the user as its admin. */
    create: (body: z.input<typeof createOrganizationBody>, options?: CallOptions): Promise<Membership> =>
      transport.json('/v0/orgs', { ...options, method: 'POST', body }),
    /** The organization that this client works in. */
    get: (options?: CallOptions): Promise<Membership> => api.get([], {}, options),
    /** Changes the given settings of the organization. For admins. */
    update: (body: z.input<typeof patchOrganizationBody>, options?: CallOptions): Promise<Membership> =>
      api.send('PATCH', [], body, options),
  };
}

/** Members of the organization, and invitations to it. */
export function createMembers(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<MemberList> =>
    api.get(['members'], { ...query }, options);
  const listInvitations = (query: PageRequest = {}, options?: CallOptions): Promise<InvitationList> =>
    api.get(['invitations'], { ...query }, options);
  return {
    /** Lists a page of members. */
    list,
    /** Yields all members. */
    listAll: listAllOf(list, ({ members }) => members),
    /** Adds an existing user, or creates an invitation. The token of the invitation is shown only once. For admins. */
    add: (body: z.input<typeof addMemberBody>, options?: CallOptions): Promise<z.infer<typeof addMemberAnswer>> =>
      api.send('POST', ['members'], body, options),
    /** Changes the role of a member. For admins. */
    changeRole: (userId: string, role: Role, options?: CallOptions): Promise<Member> =>
      api.send('PATCH', ['members', userId], { role }, options),
    /** Removes a member from the organization. Admins can remove others, and every member can leave. */
    remove: (userId: string, options?: CallOptions): Promise<void> => api.delete(['members', userId], options),
    /**
     * Ends all sessions of a member, in every organization, and revokes the member's access tokens of this one. For
     * admins.
     */
    signOut: (userId: string, options?: CallOptions): Promise<void> =>
      api.delete(['members', userId, 'sessions'], options),
    /** Unused invitations, the newest first, without their tokens. For admins. */
    listInvitations,
    /** Yields all unused invitations. For admins. */
    listAllInvitations: listAllOf(listInvitations, ({ invitations }) => invitations),
    /** Revokes an unused invitation. For admins. */
    revokeInvitation: (invitationId: string, options?: CallOptions): Promise<void> =>
      api.delete(['invitations', invitationId], options),
  };
}

/** Access tokens of the signed-in user in the organization. */
export function createAccessTokens(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<AccessTokenList> =>
    api.get(['access_tokens'], { ...query }, options);
  return {
    /** Lists a page of tokens, without their secrets. */
    list,
    /** Yields all tokens, without their secrets. */
    listAll: listAllOf(list, ({ access_tokens }) => access_tokens),
    /** Creates a token. The answer's `token` is shown only once. An access token cannot create another one. */
    create: (
      body: z.input<typeof createAccessTokenBody>,
      options?: CallOptions,
    ): Promise<z.infer<typeof createdAccessToken>> => api.send('POST', ['access_tokens'], body, options),
    /** Revokes a token. */
    delete: (tokenId: string, options?: CallOptions): Promise<void> => api.delete(['access_tokens', tokenId], options),
  };
}
