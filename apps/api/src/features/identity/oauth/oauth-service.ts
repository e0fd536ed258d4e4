import { DomainError, maxRedirectAddresses, type TokenScope } from '@docwright/contract';
import OAuth2Server from '@node-oauth/oauth2-server';
import type { AccessTokenService } from '../access-tokens/access-token-service.ts';
import { requireSession, requireWriter, type Actor, type Principal } from '../rights/actor.ts';
import { randomToken } from '../secrets/token-hash.ts';
import type { OrganizationRepository } from '../organizations/organization-repository.ts';
import { isRedirectAddress, placeOf, presentableName } from './client-metadata.ts';
import type { OAuthClient, OAuthRepository } from './oauth-repository.ts';

const hourMs = 3_600_000;
/** The lifetime of a registration that no user has authorized. */
const unusedClientMs = 24 * hourMs;
/** The lifetime of a used registration. */
const usedClientMs = 365 * 24 * hourMs;
/** Of all addresses of a registration, which needs no account. */
const maxRedirectCharacters = 4_000;
const codeSeconds = 120;
const tokenDays = 30;
/** How long a program can be inactive before its user must sign in again. */
const refreshDays = 90;
/** A client that lost the answer retries at once; a later reuse is a theft. */
const reuseLeewayMs = 60_000;
const grants = ['authorization_code', 'refresh_token'];

/** The scopes that a client can request; admin scopes are excluded. */
export const clientScopes: readonly TokenScope[] = ['read', 'propose', 'decide'];
const defaultScopes: readonly TokenScope[] = ['read', 'propose'];

/** The parameters with which a client opens the user's browser (RFC 6749, 7636 and 8707). */
interface AuthorizationRequest {
  client_id: string;
  redirect_uri: string;
  response_type: string;
  code_challenge: string;
  code_challenge_method: string;
  state?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
}

/** An answer of the token endpoint, in OAuth's format. */
interface OAuthAnswer {
  status: number;
  body: Record<string, unknown>;
}
export type OAuthService = ReturnType<typeof createOAuthService>;

/**
 * Lets programs sign users in (OAuth 2.1: authorization code with PKCE, public clients). The result is an ordinary
 * access token: listed, revocable and named in the audit log.
 */
export function createOAuthService(dependencies: {
  oauth: OAuthRepository;
  organizations: OrganizationRepository;
  accessTokens: AccessTokenService;
  hashToken: (token: string) => string;
}) {
  const { oauth, organizations, accessTokens, hashToken } = dependencies;

  /** A code that is used a second time was stolen: its access ends (RFC 6749, section 4.1.2). */
  async function endReused(code: string): Promise<void> {
    const access = await oauth.noteReuse(hashToken(code));
    if (access !== undefined) await accessTokens.revoke(access);
  }

  const server = new OAuth2Server({
    model: {
      async getClient(clientId) {
        const client = await oauth.findClient(clientId);
        return client && { id: client.id, redirectUris: client.redirectUris, grants };
      },
      async saveAuthorizationCode(code, client, user) {
        await oauth.addCode(hashToken(code.authorizationCode), {
          clientId: client.id,
          userId: String(user['userId']),
          organizationId: String(user['organizationId']),
          scopes: user['scopes'] as TokenScope[],
          redirectUri: code.redirectUri,
          codeChallenge: code.codeChallenge ?? '',
          expiresAt: code.expiresAt,
        });
        return { ...code, client, user };
      },
      async getAuthorizationCode(authorizationCode) {
        const found = await oauth.findCode(hashToken(authorizationCode));
        if (found === undefined) {
          await endReused(authorizationCode);
          return undefined;
        }
        const { clientId, redirectUri, codeChallenge, expiresAt, ...user } = found;
        const client = { id: clientId, grants };
        return {
          authorizationCode,
          expiresAt,
          redirectUri,
          client,
          user,
          codeChallenge,
          codeChallengeMethod: 'S256',
          scope: found.scopes,
        };
      },
      async revokeAuthorizationCode({ authorizationCode }) {
        if (await oauth.takeCode(hashToken(authorizationCode))) return true;
        await endReused(authorizationCode);
        return false;
      },
      async saveToken(token, client, user) {
        const [userId, organizationId] = [String(user['userId']), String(user['organizationId'])];
        const role = await organizations.roleOf(organizationId, userId);
        const registered = await oauth.findClient(client.id);
        if (role === undefined || role === 'viewer' || registered === undefined) {
          throw invalidGrant('The user has left the organization, or can no longer write in it.');
        }
        const scopes = user['scopes'] as TokenScope[];
        const given = { name: registered.name, lifetime_days: tokenDays, scopes };
        const before = user['accessTokenId'] as string | undefined;
        const issued =
          before === undefined
            ? await accessTokens.create({ organizationId, userId, role }, { userId }, given)
            : { id: before, token: await accessTokens.renew({ organizationId, id: before }, tokenDays) };
        if (issued.token === undefined) throw invalidGrant('The access was revoked in the settings.');
        const code: unknown = token['authorizationCode'];
        if (typeof code === 'string' && !(await oauth.noteAccess(hashToken(code), issued.id))) {
          await accessTokens.revoke({ organizationId, id: issued.id });
          throw invalidGrant('The code was used twice. Start the sign-in again.');
        }
        const refreshToken = randomToken();
        const refreshTokenExpiresAt = new Date(Date.now() + refreshDays * 24 * hourMs);
        const owner = { accessTokenId: issued.id, clientId: client.id, userId, organizationId, scopes };
        await oauth.addRefreshToken(hashToken(refreshToken), { ...owner, expiresAt: refreshTokenExpiresAt });
        return {
          accessToken: issued.token,
          accessTokenExpiresAt: token.accessTokenExpiresAt ?? new Date(),
          refreshToken,
          refreshTokenExpiresAt,
          scope: scopes,
          client,
          user,
        };
      },
      async getRefreshToken(refreshToken) {
        const found = await oauth.findRefreshToken(hashToken(refreshToken));
        if (found === undefined) return undefined;
        const { clientId, expiresAt, scopes, usedAt, ...user } = found;
        if (usedAt !== null) {
          const token = { organizationId: found.organizationId, id: found.accessTokenId };
          if (Date.now() - usedAt.getTime() > reuseLeewayMs) await accessTokens.revoke(token);
          return undefined;
        }
        return {
          refreshToken,
          refreshTokenExpiresAt: expiresAt,
          scope: scopes,
          client: { id: clientId, grants },
          user: { ...user, scopes },
        };
      },
      revokeToken: ({ refreshToken }) => oauth.takeRefreshToken(hashToken(refreshToken ?? '')),
      // Access tokens are verified with all other credentials.
      getAccessToken: async () => undefined,
    },
    authorizationCodeLifetime: codeSeconds,
    accessTokenLifetime: tokenDays * 24 * 3_600,
    refreshTokenLifetime: refreshDays * 24 * 3_600,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
    allowEmptyState: true,
  });

  /** @throws DomainError oauth_request_refused if the user must not be redirected back. */
  async function validateRequest(
    request: AuthorizationRequest,
    origin: string,
  ): Promise<{ client: OAuthClient; scopes: TokenScope[] }> {
    const client = await oauth.findClient(request.client_id);
    if (client === undefined || !client.redirectUris.includes(request.redirect_uri)) {
      throw refused(
        'The program is not registered here, or not with this address. Start the sign-in from the program again.',
      );
    }
    if (request.response_type !== 'code' || request.code_challenge_method !== 'S256') {
      throw refused('Only response_type=code with a code_challenge of the method S256 is supported.');
    }
    if (!/^[\w~.-]{43,128}$/.test(request.code_challenge))
      throw refused('The code_challenge is not a valid S256 challenge.');
    const resource = request.resource?.replace(/\/$/, '');
    if (resource !== undefined && resource !== `${origin}/mcp` && resource !== origin) {
      throw refused('The program asks for access to another server than this one.');
    }
    const requested = request.scope?.split(/\s+/).filter((scope) => scope !== '') ?? [];
    const scopes = clientScopes.filter((scope) => requested.includes(scope));
    return { client, scopes: scopes.length === 0 ? [...defaultScopes] : scopes };
  }

  return {
    /** Registers a public client (RFC 7591). */
    async register(metadata: unknown): Promise<OAuthAnswer> {
      const given = typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
      const redirectUris: unknown = given['redirect_uris'];
      if (
        !Array.isArray(redirectUris) ||
        redirectUris.length === 0 ||
        redirectUris.length > maxRedirectAddresses ||
        !redirectUris.every(isRedirectAddress) ||
        redirectUris.join('').length > maxRedirectCharacters
      ) {
        const error_description = `redirect_uris must contain 1 to ${maxRedirectAddresses} addresses: https, http on this machine, or a scheme of the program, of ${maxRedirectCharacters} characters together.`;
        return { status: 400, body: { error: 'invalid_redirect_uri', error_description } };
      }
      const name = presentableName(given['client_name']) ?? placeOf(redirectUris[0]!);
      const expiresAt = new Date(Date.now() + unusedClientMs);
      const client_id = await oauth.addClient({ name, redirectUris }, expiresAt);
      if (client_id === undefined) {
        const message = 'Too many programs have registered in the last minutes. Try again in ten minutes.';
        throw new DomainError('rate_limited', 'too_many_requests', message);
      }
      const body = {
        client_id,
        client_id_issued_at: Math.floor(Date.now() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: grants,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
      return { status: 201, body };
    },

    /** Describes a request to the user before they let the program in. */
    async describe(principal: Principal, request: AuthorizationRequest, origin: string) {
      requireSession(principal);
      const { client, scopes } = await validateRequest(request, origin);
      const denied = new URL(request.redirect_uri);
      denied.searchParams.set('error', 'access_denied');
      if (request.state !== undefined) denied.searchParams.set('state', request.state);
      return {
        client_name: client.name,
        place: placeOf(request.redirect_uri),
        scopes,
        denied_redirect_to: denied.href,
      };
    },

    /** Grants a program at most the scopes that it requested. */
    async grant(
      actor: Actor,
      principal: Principal,
      { scopes: allowed, ...request }: AuthorizationRequest & { scopes: TokenScope[] },
      origin: string,
    ): Promise<{ redirect_to: string }> {
      requireSession(principal);
      requireWriter(actor);
      const { client, scopes } = await validateRequest(request, origin);
      const granted = scopes.filter((scope) => allowed.includes(scope));
      if (granted.length === 0) throw refused('Grant the program at least one of the rights that it requests.');
      const query = Object.fromEntries(
        Object.entries({ ...request, scope: granted.join(' ') }).filter(
          ([name, value]) => value !== undefined && name !== 'resource',
        ),
      ) as Record<string, string>;
      const answer = new OAuth2Server.Response({});
      const user = { userId: actor.userId, organizationId: actor.organizationId, scopes: granted };
      await server.authorize(new OAuth2Server.Request({ method: 'GET', headers: {}, query, body: {} }), answer, {
        authenticateHandler: { handle: () => user },
      });
      await oauth.extendClient(client.id, new Date(Date.now() + usedClientMs));
      return { redirect_to: String(answer.get('location')) };
    },

    /** Exchanges a code or a refresh token for an access token. Errors are OAuth's own (RFC 6749, section 5.2). */
    async token(form: Record<string, string>): Promise<OAuthAnswer> {
      const length = String(new URLSearchParams(form).size);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': length };
      const answer = new OAuth2Server.Response({});
      try {
        await server.token(new OAuth2Server.Request({ method: 'POST', headers, query: {}, body: form }), answer);
        return { status: 200, body: answer.body as Record<string, unknown> };
      } catch (error) {
        if (!(error instanceof OAuth2Server.OAuthError) || error.code >= 500) throw error;
        return { status: error.code, body: { error: error.name, error_description: error.message } };
      }
    },
  };
}

function invalidGrant(message: string): Error {
  return new OAuth2Server.InvalidGrantError(message);
}

function refused(message: string): DomainError {
  return new DomainError('unprocessable', 'oauth_request_refused', message);
}
