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
import { operationsOf } from '../../../platform/http/operation.ts';
import { isEncrypted } from '../../../platform/http/external/encrypted.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { optionalPrincipal } from '../authentication/authentication.ts';
import { isLoopback } from '../../../platform/settings/settings.ts';
import { sessionCookie } from '../authentication/credentials.ts';
import type { Device } from '../sessions/session-repository.ts';
import type { RegistrationService } from './registration-service.ts';
import { sessionLifetimeSeconds } from '../sessions/session-tokens.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { SignInService } from './sign-in-service.ts';

const operation = operationsOf('identity');

const timeWindow = 60_000;

export const authRoutes: FastifyPluginAsyncZod<{
  services: { registration: RegistrationService; signIn: SignInService; signInLimit: SignInLimit };
  /** The address the server listens on, which decides what the first registration must prove. */
  host: string;
  /** Maximum registrations, and maximum logins, per minute and address. */
  signInsPerMinute?: number;
}> = async (app, { services: { registration, signIn, signInLimit }, host, signInsPerMinute = 120 }) => {
  const perAddress = { rateLimit: { max: signInsPerMinute, timeWindow } };

  app.post(
    '/v0/auth/register',
    {
      config: { public: true, ...perAddress },
      ...operation({
        operationId: 'register',
        summary: 'Open an account',
        description:
          'The first user claims the first organization; unless HOST is loopback, that needs the `setup_token` of the printed link. Later users need an `invitation_token`, or ALLOW_SIGNUP, which gives them their own organization.',
        body: registerBody,
        errors: ['invitation_not_valid', 'setup_token_needed', 'signup_closed', 'email_taken', 'password_too_common'],
        response: { 201: registerAnswer },
      }),
    },
    async (request, reply) => {
      const registered = await registration.register(request.body, {
        principal: optionalPrincipal(request),
        device: deviceOf(request),
        canClaimWithoutToken:
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
      ...operation({
        operationId: 'login',
        summary: 'Sign in with a password',
        description:
          'Answers a JWT and sets it as an HttpOnly, SameSite=Lax cookie for the web app. For an account with a second factor, `code` is a code of the authenticator app or a recovery code.',
        body: loginBody,
        errors: ['wrong_credentials', 'second_factor_needed', 'wrong_code', 'too_many_sign_ins'],
        response: { 200: loginAnswer },
      }),
    },
    async (request, reply) => {
      const forgetAttempt = await signInLimit.countSignIn(request.body.email, request.ip);
      const answer = await signIn.login(request.body, deviceOf(request));
      if (answer === 'refused') {
        throw new DomainError('unauthenticated', 'wrong_credentials', 'The e-mail address or the password is wrong.');
      }
      await forgetAttempt();
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
    operation({
      operationId: 'logout',
      summary: 'Sign out',
      description: 'Ends the session behind the cookie or JWT; both stop working.',
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await signIn.logout(request.principal);
      return reply.clearCookie(sessionCookie, { path: '/' }).header('clear-site-data', '"cache"').code(204).send();
    },
  );

  app.put(
    '/v0/auth/password',
    {
      config: perAddress,
      ...operation({
        operationId: 'changePassword',
        summary: 'Change the password',
        description: 'Ends every other session of the user. Access tokens stay: revoke them separately.',
        body: changePasswordBody,
        errors: ['wrong_password', 'session_needed', 'password_too_common', 'too_many_sign_ins'],
        response: { 204: z.undefined() },
      }),
    },
    async (request, reply) => {
      // An intruder in an open session must not guess the password.
      const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
      await signIn.changePassword(request.principal, request.body);
      await forgetAttempt();
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/auth/sessions',
    operation({
      operationId: 'listSessions',
      summary: 'List your sessions',
      description: 'Newest first.',
      querystring: pageQuery,
      errors: ['session_needed'],
      response: { 200: sessionList },
    }),
    async (request) => signIn.listSessions(request.principal, request.query),
  );

  app.delete(
    '/v0/auth/sessions',
    operation({
      operationId: 'endSessions',
      summary: 'Sign out everywhere',
      description:
        'Ends all sessions of the user, with `keep_current=true` all others, and with `access_tokens=true` also revokes their access tokens.',
      querystring: endSessionsQuery,
      errors: ['session_needed'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await signIn.endSessions(request.principal, request.query);
      if (!request.query.keep_current) void reply.clearCookie(sessionCookie, { path: '/' });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/v0/auth/sessions/:session_id',
    operation({
      operationId: 'endSession',
      summary: 'End one session',
      params: z.object({ session_id: objectId }),
      errors: ['session_needed'],
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await signIn.endSession(request.principal, request.params.session_id);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v0/me',
    operation({
      operationId: 'getMe',
      summary: 'Get the signed-in user and their organizations',
      description: 'With an access token, only its organization is listed, with the token’s role.',
      errors: ['no_account'],
      response: { 200: meAnswer },
    }),
    async (request) => signIn.me(request.principal),
  );

  app.get(
    '/sign-in',
    {
      config: perAddress,
      // Link previews request HEAD, which must not use the link up.
      exposeHeadRoute: false,
      ...operation({
        operationId: 'followSignInLink',
        summary: 'Follow the printed link',
        description:
          'With the token of the printed link, signs in once as the owner of the first organization and redirects to `/`. Without a token, or with a used one, the web app shows the sign-in page.',
        querystring: z.object({ token: z.string().max(500).optional() }),
        errors: ['web_app_not_built'],
        response: {
          200: { description: 'The web app.', content: { 'text/html': { schema: z.string() } } },
          302: z.undefined().describe('To `/`, or to the sign-in page of the web app if the link was used before.'),
        },
      }),
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

/** Whether a proxy on this machine forwarded the request, which others might reach. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
}

function deviceOf(request: FastifyRequest): Device {
  return { userAgent: request.headers['user-agent'] ?? '', address: request.ip };
}

function setSessionCookie(request: FastifyRequest, reply: FastifyReply, jwt: string): void {
  void reply.setCookie(sessionCookie, jwt, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isEncrypted(request),
    maxAge: sessionLifetimeSeconds,
  });
}
