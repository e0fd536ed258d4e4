import { DomainError } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { requireScope, scopeOf } from '../rights/token-scopes.ts';
import type { Actor, Principal } from '../rights/actor.ts';
import type { AuthenticationService } from './authentication-service.ts';
import { canUseCookie, readCredentials, type Credentials } from './credentials.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no sign-in. All other routes below /v0 and /api, and /mcp, do. */
    public?: boolean;
  }
  interface FastifyRequest {
    /** The signed-in caller, on every route that is not public. */
    readonly principal: Principal;
    /** The acting user and organization, on routes below /v0/orgs/:org_id and /api, and on /mcp. */
    readonly actor: Actor;
  }
}

interface Identified {
  principal?: Principal;
  actor?: Actor;
}
const identified = new WeakMap<FastifyRequest, Identified>();

/** The principal of a request on a public route, if the caller is signed in. */
export function optionalPrincipal(request: FastifyRequest): Principal | undefined {
  return identified.get(request)?.principal;
}

/** Authenticates callers before the body is read. Closed by default: a route is public only if it is declared so. */
export const authentication = fastifyPlugin(
  async (
    app,
    {
      authenticationService,
      publicUrl,
    }: { authenticationService: AuthenticationService; publicUrl?: string | undefined },
  ) => {
    app.decorateRequest('principal', {
      getter(this: FastifyRequest) {
        return present(identified.get(this)?.principal, 'principal');
      },
    });
    app.decorateRequest('actor', {
      getter(this: FastifyRequest) {
        return present(identified.get(this)?.actor, 'actor');
      },
    });
    // After the rate limit, which counts in onRequest, and before a body is read.
    app.addHook('preParsing', async (request, reply) => {
      const route = request.routeOptions.url;
      if (route === undefined || !/^\/(v0|api|mcp)(\/|$)/.test(route)) return;
      const isPublic = request.routeOptions.config.public === true;
      const credentials = readCredentials(request);
      const isForeign = credentials?.kind === 'cookie' && !canUseCookie(request);
      const organizationId = requestedOrganization(request, route);
      const ahead = isForeign ? undefined : authenticationService.accessAhead(credentials, organizationId);
      const principal =
        credentials === undefined || isForeign ? undefined : await authenticationService.authenticate(credentials);
      if (principal === undefined) {
        if (isPublic) return;
        if (route === '/mcp')
          void reply.header('www-authenticate', challengeOf(publicOriginOf(request, publicUrl), credentials));
        throw refusal(request, credentials, isForeign);
      }
      if (!isPublic) requireScope(principal, scopeOf(request.method, route));
      const found: Identified = { principal };
      identified.set(request, found);
      if (organizationId !== undefined) {
        found.actor = await authenticationService.actorIn(principal, organizationId, ahead);
      } else if (choosesOrganization(route)) {
        found.actor = await authenticationService.actorInDefaultOrganization(principal);
      }
    });
  },
  { name: 'authentication', dependencies: ['@fastify/cookie', '@fastify/jwt'] },
);

/** The address that clients use. Without the setting, the request names it. */
export function publicOriginOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${protocol}://${host}`;
}

/** Tells an MCP client where its user signs in (RFC 9728). */
function challengeOf(origin: string, credentials: Credentials | undefined): string {
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  return `Bearer ${credentials === undefined ? '' : 'error="invalid_token", '}resource_metadata="${metadata}", scope="read propose"`;
}

function refusal(request: FastifyRequest, credentials: Credentials | undefined, isForeign: boolean): DomainError {
  if (credentials === undefined) {
    return new DomainError('unauthenticated', 'not_signed_in', 'Sign in, or send an access token.');
  }
  if (isForeign) {
    return new DomainError('forbidden', 'cross_origin_write', whyForeign(request));
  }
  return new DomainError(
    'unauthenticated',
    'bad_credentials',
    'The credentials are not valid or have expired. Sign in again.',
  );
}

/** Whether the organization comes from a header or the caller's default, not from the path. */
function choosesOrganization(route: string): boolean {
  return route.startsWith('/api/') || route === '/mcp';
}

function requestedOrganization(request: FastifyRequest, route: string): string | undefined {
  if (/^\/v0\/orgs\/:org_id(\/|$)/.test(route)) return (request.params as { org_id: string }).org_id;
  if (!choosesOrganization(route)) return undefined;
  const header = request.headers['x-org-id'];
  return Array.isArray(header) ? header[0] : header;
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`This route has no ${name}: see its path and config.public`);
  return value;
}

const maxOriginLength = 200;

/** A browser that calls the page's own site by another name than the server does: a proxy has replaced the name. */
function whyForeign({ headers: { origin, host, 'sec-fetch-site': site } }: FastifyRequest): string {
  const rule = 'A change made with the session cookie must come from this site';
  if (origin === undefined || site !== 'same-origin') return `${rule}: its Origin header is foreign or missing.`;
  return `${rule}. The browser calls it ${origin.slice(0, maxOriginLength)}, but the server received the Host header “${host}”: a proxy in front of it must pass on Host (nginx: “proxy_set_header Host $http_host;”).`;
}
