import { DomainError, loginAnswer, loginBody, meAnswer, registerAnswer, registerBody } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { principalIfAny } from '../authentication.ts';
import { isLoopback } from '../../../platform/settings/settings.ts';
import { sessionCookie } from '../credentials.ts';
import type { RegistrationService } from './registration-service.ts';
import { sessionLifetimeSeconds } from './session-tokens.ts';
import type { SignInService } from './sign-in-service.ts';

/** A minute. */
const timeWindow = 60_000;
/** Wrong passwords for one account from one address in that time. */
const failuresAllowed = 10;

export const authRoutes: FastifyPluginAsyncZod<{
  services: { registration: RegistrationService; signIn: SignInService };
  host: string;
  /** Registrations, and likewise logins, a minute from one address. */
  signInsPerMinute?: number;
}> = async (app, { services: { registration, signIn }, host, signInsPerMinute = 120 }) => {
  const signInLimit = { rateLimit: { max: signInsPerMinute, timeWindow } };
  const failuresOfAccount = app.createRateLimit({
    max: failuresAllowed,
    timeWindow,
    keyGenerator: (request) => `${request.ip} ${(request.body as { email: string }).email}`,
  });

  app.post(
    '/v0/auth/register',
    {
      config: { public: true, ...signInLimit },
      schema: {
        tags: ['identity'],
        operationId: 'register',
        summary: 'Open an account',
        description:
          'The first person claims the first organization; where HOST is not loopback that needs the `setup_token` of the printed link. Later ones need an `invitation_token`, or ALLOW_SIGNUP and get an organization of their own.',
        body: registerBody,
        errors: ['invitation_not_valid', 'setup_token_needed', 'signup_closed', 'email_taken'],
        response: { 201: registerAnswer },
      },
    },
    async (request, reply) => {
      const registered = await registration.register(request.body, {
        principal: principalIfAny(request),
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
      config: { public: true, ...signInLimit },
      schema: {
        tags: ['identity'],
        operationId: 'login',
        summary: 'Sign in with a password',
        description: 'Answers a JWT and sets the same as an HttpOnly, SameSite=Lax cookie for the web app.',
        body: loginBody,
        errors: ['wrong_credentials', 'too_many_sign_ins'],
        response: { 200: loginAnswer },
      },
    },
    async (request, reply) => {
      const failures = await failuresOfAccount(request, { increment: false });
      if (!failures.isAllowed && failures.remaining === 0) {
        throw new DomainError(
          'rate_limited',
          'too_many_sign_ins',
          `Too many failed attempts for this account. Try again in ${failures.ttlInSeconds} seconds.`,
        );
      }
      const answer = await signIn.login(request.body.email, request.body.password);
      if (answer === undefined) {
        await failuresOfAccount(request);
        throw new DomainError('unauthenticated', 'wrong_credentials', 'The e-mail address or the password is wrong.');
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
      config: signInLimit,
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
      const jwt = token === undefined ? undefined : await signIn.followLink(token);
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

function setSessionCookie(request: FastifyRequest, reply: FastifyReply, jwt: string): void {
  void reply.setCookie(sessionCookie, jwt, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.headers['x-forwarded-proto'] === 'https',
    maxAge: sessionLifetimeSeconds,
  });
}
