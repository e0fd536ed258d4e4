import type {
  accessTokenList,
  addMemberAnswer,
  addMemberBody,
  createAccessTokenBody,
  createdAccessToken,
  createOrganizationBody,
  loginAnswer,
  loginBody,
  Me,
  Member,
  memberList,
  Membership,
  organizationList,
  patchOrganizationBody,
  registerAnswer,
  registerBody,
  Role,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString } from '../client/address.ts';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions, Transport } from '../client/transport.ts';
import type { PageRequest } from './page-request.ts';

type OrganizationList = z.infer<typeof organizationList>;
type MemberList = z.infer<typeof memberList>;
type AccessTokenList = z.infer<typeof accessTokenList>;

/** Accounts and sessions. `access_token` of an answer is the `token` of another client. */
export function createAuth(transport: Transport) {
  return {
    register: (body: z.input<typeof registerBody>, options?: CallOptions): Promise<z.infer<typeof registerAnswer>> =>
      transport.json('/v0/auth/register', { ...options, method: 'POST', body }),
    login: (body: z.input<typeof loginBody>, options?: CallOptions): Promise<z.infer<typeof loginAnswer>> =>
      transport.json('/v0/auth/login', { ...options, method: 'POST', body }),
    /** Ends the session whose `access_token` this client has; an access token stays. */
    logout: (options?: CallOptions): Promise<void> => transport.done('/v0/auth/logout', { ...options, method: 'POST' }),
    me: (options?: CallOptions): Promise<Me> => transport.json('/v0/me', { ...options }),
  };
}

export function createOrganizations(transport: Transport, api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<OrganizationList> =>
    transport.json(`/v0/orgs${queryString({ ...query })}`, { ...options });
  return {
    list,
    listAll: listAllOf(list, ({ organizations }) => organizations),
    create: (body: z.input<typeof createOrganizationBody>, options?: CallOptions): Promise<Membership> =>
      transport.json('/v0/orgs', { ...options, method: 'POST', body }),
    /** The organization that this client works in. */
    get: (options?: CallOptions): Promise<Membership> => api.get([], {}, options),
    update: (body: z.input<typeof patchOrganizationBody>, options?: CallOptions): Promise<Membership> =>
      api.send('PATCH', [], body, options),
  };
}

export function createMembers(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<MemberList> =>
    api.get(['members'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ members }) => members),
    add: (body: z.input<typeof addMemberBody>, options?: CallOptions): Promise<z.infer<typeof addMemberAnswer>> =>
      api.send('POST', ['members'], body, options),
    changeRole: (userId: string, role: Role, options?: CallOptions): Promise<Member> =>
      api.send('PATCH', ['members', userId], { role }, options),
    remove: (userId: string, options?: CallOptions): Promise<void> => api.delete(['members', userId], options),
  };
}

export function createAccessTokens(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<AccessTokenList> =>
    api.get(['access_tokens'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ access_tokens }) => access_tokens),
    /** `token` of the answer is shown this once. Only a signed-in person makes tokens, not another token. */
    create: (
      body: z.input<typeof createAccessTokenBody>,
      options?: CallOptions,
    ): Promise<z.infer<typeof createdAccessToken>> => api.send('POST', ['access_tokens'], body, options),
    delete: (tokenId: string, options?: CallOptions): Promise<void> => api.delete(['access_tokens', tokenId], options),
  };
}
