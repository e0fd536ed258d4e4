import {
  DomainError,
  grantOAuthBody,
  grantOAuthAnswer,
  oauthAuthorizationServer,
  oauthClientAnswer,
  oauthClientMetadata,
  oauthError,
  oauthProtectedResource,
  oauthRequestAnswer,
  oauthRequestQuery,
  oauthTokenAnswer,
  objectId,
} from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import { InvalidRequest } from '../../../platform/http/request-validation.ts';
import { clientScopes, type OAuthService } from './oauth-service.ts';
import { publicOriginOf } from '../authentication/authentication.ts';

const operation = operationsOf('oauth');
const timeWindow = 60_000;
const maxFormFields = 100;

/** Sign-in of programs that only know the server's address (OAuth 2.1, RFC 9728, 8414, 7591, 7636). */
export const oauthRoutes: FastifyPluginAsyncZod<{
  services: { oauth: OAuthService };
  signInsPerMinute?: number;
  publicUrl?: string | undefined;
}> = async (app, { services: { oauth }, signInsPerMinute = 120, publicUrl }) => {
  const originOf = (request: FastifyRequest) => publicOriginOf(request, publicUrl);
  const config = { public: true, rateLimit: { max: signInsPerMinute, timeWindow } };
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const fields = [...new URLSearchParams(String(body))];
    if (fields.length <= maxFormFields) done(null, Object.fromEntries(fields));
    else done(new InvalidRequest([{ path: '', message: `A form takes ${maxFormFields} fields at most.` }]));
  });

  for (const [url, operationId] of [
    ['/.well-known/oauth-protected-resource', 'getProtectedResource'],
    ['/.well-known/oauth-protected-resource/mcp', 'getProtectedMcpResource'],
  ] as const) {
    app.get(
      url,
      operation({
        operationId,
        summary: 'Where a client of the Model Context Protocol signs in (RFC 9728)',
        response: { 200: oauthProtectedResource },
      }),
      async (request) => ({
        resource: `${originOf(request)}/mcp`,
        authorization_servers: [originOf(request)],
        scopes_supported: [...clientScopes],
        bearer_methods_supported: ['header'],
        resource_name: 'Docwright',
      }),
    );
  }

  app.get(
    '/.well-known/oauth-authorization-server',
    operation({
      operationId: 'getAuthorizationServer',
      summary: 'How programs sign users in (RFC 8414)',
      response: { 200: oauthAuthorizationServer },
    }),
    async (request) => {
      const issuer = originOf(request);
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/v0/oauth/token`,
        registration_endpoint: `${issuer}/v0/oauth/register`,
        scopes_supported: [...clientScopes],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
      };
    },
  );

  app.post(
    '/v0/oauth/register',
    {
      config,
      // The service refuses a body that does not fit, with the error that the RFC names.
      attachValidation: true,
      errorHandler: refuseBody,
      ...operation({
        operationId: 'registerOAuthClient',
        summary: 'Register a program that signs users in (RFC 7591)',
        description:
          'Every client is public: it has no secret and uses PKCE. A registration that no user lets in within a day expires.',
        body: oauthClientMetadata.meta({
          examples: [{ client_name: 'My client', redirect_uris: ['http://127.0.0.1:33418/'] }],
        }),
        response: { 201: oauthClientAnswer, 400: oauthError },
      }),
    },
    async (request, reply) => {
      const { status, body } = await oauth.register(request.body);
      return reply
        .code(status as 201)
        .header('cache-control', 'no-store')
        .send(body as never);
    },
  );

  app.post(
    '/v0/oauth/token',
    {
      config,
      errorHandler: refuseBody,
      ...operation({
        operationId: 'exchangeOAuthCode',
        summary: 'Exchange a code or a refresh token for an access token (RFC 6749, 7636)',
        description:
          'Takes a form with `grant_type=authorization_code`, `code`, `redirect_uri`, `client_id` and `code_verifier`, or with `grant_type=refresh_token`, `refresh_token` and `client_id`. A code works once, within two minutes. The result is an ordinary access token: it lasts 30 days, and is listed and revoked in the settings. A refresh token works once within 90 days: it replaces the access token’s secret, the previous one stops working, and the answer contains the next refresh token. A used refresh token is refused; after a minute, its reuse revokes the access, since it was stolen.',
        body: z.record(z.string(), z.string().max(4_000)),
        errors: ['viewer_cannot_write'],
        response: { 200: oauthTokenAnswer, 400: oauthError, 401: oauthError },
      }),
    },
    async (request, reply) => {
      const { status, body } = await oauth.token(request.body);
      return reply
        .code(status as 200)
        .header('cache-control', 'no-store')
        .send(body as never);
    },
  );

  app.get(
    '/v0/oauth/request',
    operation({
      operationId: 'describeOAuthRequest',
      summary: 'Describe the request of a program to a user',
      description: 'For the page on which the user lets it in or denies it.',
      querystring: oauthRequestQuery,
      errors: ['session_needed', 'oauth_request_refused'],
      response: { 200: oauthRequestAnswer },
    }),
    async (request) => oauth.describe(request.principal, request.query, originOf(request)),
  );

  app.post(
    '/v0/orgs/:org_id/oauth_grants',
    operation({
      operationId: 'grantOAuthRequest',
      summary: 'Let a program in',
      description:
        'Answers the address to continue at, with a code for the program. The program can then use this organization with `scopes`, at most those it asked for, and at most the role of the user.',
      params: z.object({ org_id: objectId }),
      body: grantOAuthBody,
      errors: ['session_needed', 'viewer_cannot_write', 'oauth_request_refused'],
      response: { 201: grantOAuthAnswer },
    }),
    async (request, reply) =>
      reply.code(201).send(await oauth.grant(request.actor, request.principal, request.body, originOf(request))),
  );
};

/** The RFCs define their own error format, also for unreadable bodies. Rethrows all other errors. */
function refuseBody(
  error: Error & { statusCode?: number; code?: string },
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const isUnreadable = error.statusCode === 400 && error.code?.startsWith('FST_ERR_CTP_') === true;
  const isRefused =
    error instanceof InvalidRequest || (error instanceof DomainError && error.code === 'invalid_request');
  if (!isUnreadable && !isRefused) throw error;
  const error_description = 'The body is invalid for this endpoint. See /docs.';
  void reply.code(400).header('cache-control', 'no-store').send({ error: 'invalid_request', error_description });
}
