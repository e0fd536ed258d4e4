import {
  changePasswordBody,
  DomainError,
  endSessionsQuery,
  loginAnswer,
  loginBody,
  meAnswer,
  objectId,
  pageQuery,
  registerAnswer,
  registerBody,
  sessionList,
} from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { principalIfAny } from '../authentication.ts';
import { isLoopback } from '../../../platform/settings/settings.ts';
import { sessionCookie } from '../credentials.ts';
import type { Device } from './session-repository.ts';
import type { RegistrationService } from './registration-service.ts';
import { sessionLifetimeSeconds } from './session-tokens.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import type { SignInService } from './sign-in-service.ts';

/** A minute. */
const timeWindow = 60_000;

export const authRoutes: FastifyPluginAsyncZod<{
  services: { registration: RegistrationService; signIn: SignInService; signInLimit: SignInLimit };
  host: string;
  /** Registrations, and likewise logins, a minute from one address. */
  signInsPerMinute?: number;
}> = async (app, { services: { registration, signIn, signInLimit }, host, signInsPerMinute = 120 }) => {
  const perAddress = { rateLimit: { max: signInsPerMinute, timeWindow } };

  app.post(
    '/v0/auth/register',
    {
      config: { public: true, ...perAddress },
      schema: {
        tags: ['identity'],
        operationId: 'register',
        summary: 'Open an account',
        description:
          'The first person claims the first organization; where HOST is not loopback that needs the `setup_token` of the printed link. Later ones need an `invitation_token`, or ALLOW_SIGNUP and get an organization of their own.',
        body: registerBody,
        errors: ['invitation_not_valid', 'setup_token_needed', 'signup_closed', 'email_taken', 'password_too_common'],
        response: { 201: registerAnswer },
      },
    },
    async (request, reply) => {
      const registered = await registration.register(request.body, {
        principal: principalIfAny(request),
        device: deviceOf(request),
        mayClaimUnproven:
          isLoopback(host) && !isForwarded(request) && isLoopback(request.hostname.replace(/^\[|\]$/g, '')),
      });
      setSessionCookie(request, reply, registered.access_token);
      return reply.code(201).send(registered);
    },
  );

  app.post(
    '/v0/auth/login',
    {
      config: { public: true, ...perAddress },
      schema: {
        tags: ['identity'],
        operationId: 'login',
        summary: 'Sign in with a password',
        description:
          'Answers a JWT and sets the same as an HttpOnly, SameSite=Lax cookie for the web app. Where the account has a second factor, `code` is one that the authenticator app shows, or a recovery code.',
        body: loginBody,
        errors: ['wrong_credentials', 'second_factor_needed', 'wrong_code', 'too_many_sign_ins'],
        response: { 200: loginAnswer },
      },
    },
    async (request, reply) => {
      const undoWrites = await signInLimit.begin(request.body.email, request.ip);
      const answer = await signIn.login(request.body, deviceOf(request));
      if (answer === 'refused') {
        throw new DomainError('unauthenticated', 'wrong_credentials', 'The e-mail address or the password is wrong.');
      }
      await undoWrites();
      if (answer === 'code_needed') {
        throw new DomainError(
          'unauthenticated',
          'second_factor_needed',
          'Send the code that your authenticator app shows, or a recovery code, as `code` beside the password.',
        );
      }
      setSessionCookie(request, reply, answer.access_token);
      return answer;
    },
  );

  app.post(
    '/v0/auth/logout',
    {
      schema: {
        tags: ['identity'],
        operationId: 'logout',
        summary: 'Sign out',
        description: 'Ends the session behind the cookie or JWT; both stop working.',
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await signIn.logout(request.principal);
      return reply.clearCookie(sessionCookie, { path: '/' }).header('clear-site-data', '"cache"').code(204).send();
    },
  );

  app.put(
    '/v0/auth/password',
    {
      config: perAddress,
      schema: {
        tags: ['identity'],
        operationId: 'changePassword',
        summary: 'Change the password',
        description: 'Ends every other session of the person; this one goes on. Access tokens stay: revoke them apart.',
        body: changePasswordBody,
        errors: ['wrong_password', 'session_needed', 'password_too_common', 'too_many_sign_ins'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      // Whoever found a session open must not guess the password with it.
      const undoWrites = await signInLimit.begin(request.principal.userId, request.ip);
      await signIn.changePassword(request.principal, request.body);
      await undoWrites();
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/auth/sessions',
    {
      schema: {
        tags: ['identity'],
        operationId: 'listSessions',
        summary: 'List where one is signed in',
        description: 'Newest first.',
        querystring: pageQuery,
        errors: ['session_needed'],
        response: { 200: sessionList },
      },
    },
    async (request) => signIn.listSessions(request.principal, request.query),
  );

  app.delete(
    '/v0/auth/sessions',
    {
      schema: {
        tags: ['identity'],
        operationId: 'endSessions',
        summary: 'Sign out everywhere',
        description:
          'Ends all sessions of the person, with `keep_current=true` all others, and with `access_tokens=true` also revokes the access tokens they made.',
        querystring: endSessionsQuery,
        errors: ['session_needed'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await signIn.endSessions(request.principal, request.query);
      if (!request.query.keep_current) void reply.clearCookie(sessionCookie, { path: '/' });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/v0/auth/sessions/:session_id',
    {
      schema: {
        tags: ['identity'],
        operationId: 'endSession',
        summary: 'End one session',
        params: z.object({ session_id: objectId }),
        errors: ['session_needed'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await signIn.endSession(request.principal, request.params.session_id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/me',
    {
      schema: {
        tags: ['identity'],
        operationId: 'getMe',
        summary: 'Get who is signed in, and where they belong',
        description: 'With an access token only its organization is listed, with the role the token has there.',
        errors: ['no_account'],
        response: { 200: meAnswer },
      },
    },
    async (request) => signIn.me(request.principal),
  );

  app.get(
    '/sign-in',
    {
      config: perAddress,
      // What only looks at links asks with HEAD; it must not use this one up.
      exposeHeadRoute: false,
      schema: {
        tags: ['identity'],
        operationId: 'followSignInLink',
        summary: 'Follow the printed link',
        description:
          'With the token of the link that the server printed it signs in as the owner of the first organization, once, and goes on to `/`. Without one, or once it is used, the web app shows the sign-in page.',
        querystring: z.object({ token: z.string().max(500).optional() }),
        errors: ['web_app_not_built'],
        response: {
          200: { description: 'The web app.', content: { 'text/html': { schema: z.string() } } },
          302: z.undefined().describe('To `/`, or to the sign-in page of the web app where the link was used before.'),
        },
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      const jwt = token === undefined ? undefined : await signIn.followLink(token, deviceOf(request));
      if (jwt !== undefined) {
        setSessionCookie(request, reply, jwt);
        return reply.redirect('/');
      }
      return token === undefined ? reply.sendWebApp() : reply.redirect('/sign-in?link=used');
    },
  );
};

/** Sent on by a proxy on this machine, which anybody may reach. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
}

function deviceOf(request: FastifyRequest): Device {
  return { userAgent: request.headers['user-agent'] ?? '', address: request.ip };
}

/**
 * Whether the browser's own connection was encrypted: the first entry of what a chain of proxies notes. Believed of anybody,
 * since it can only make a cookie stricter.
 */
function cameEncrypted({ headers, protocol }: FastifyRequest): boolean {
  const first = [headers['x-forwarded-proto']].flat()[0]?.split(',')[0]?.trim().toLowerCase();
  const forwarded = /(?:^|;)\s*proto="?(\w+)/i.exec(headers.forwarded?.split(',')[0] ?? '')?.[1]?.toLowerCase();
  return [first, forwarded, protocol].includes('https');
}

function setSessionCookie(request: FastifyRequest, reply: FastifyReply, jwt: string): void {
  void reply.setCookie(sessionCookie, jwt, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: cameEncrypted(request),
    maxAge: sessionLifetimeSeconds,
  });
}
