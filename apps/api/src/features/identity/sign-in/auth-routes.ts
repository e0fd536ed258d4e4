import { DomainError } from '@docwright/contract';
import { routesOf } from '../../../platform/http/route.ts';
import { isEncrypted } from '../../../platform/http/external/encrypted.ts';
import type { FastifyReply, FastifyRequest, FastifyPluginAsync } from 'fastify';
import { optionalPrincipal } from '../authentication/authentication.ts';
import { isLoopback } from '../../../platform/settings/settings.ts';
import type { PasswordPlaces } from '../secrets/password-places.ts';
import { sessionCookie } from '../authentication/credentials.ts';
import type { Device } from '../sessions/session-repository.ts';
import type { RegistrationService } from './registration-service.ts';
import { sessionLifetimeSeconds } from '../sessions/session-tokens.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { SignInService } from './sign-in-service.ts';

const timeWindow = 60_000;

export const authRoutes: FastifyPluginAsync<{
  services: {
    registration: RegistrationService;
    signIn: SignInService;
    signInLimit: SignInLimit;
    passwordPlaces: PasswordPlaces;
  };
  /** The address the server listens on, which decides what the first registration must prove. */
  host: string;
  /** Maximum registrations, and maximum logins, per minute and address. */
  signInsPerMinute?: number;
}> = async (app, { services: { registration, signIn, signInLimit, passwordPlaces }, host, signInsPerMinute = 120 }) => {
  const route = routesOf(app);

  const perAddress = { rateLimit: { max: signInsPerMinute, timeWindow } };

  route('POST /v0/auth/register', { config: { public: true, ...perAddress } }, async (request, reply) => {
    const registered = await passwordPlaces(request.ip, () =>
      registration.register(request.body, {
        principal: optionalPrincipal(request),
        device: deviceOf(request),
        canClaimWithoutToken:
          isLoopback(host) && !isForwarded(request) && isLoopback(request.hostname.replace(/^\[|\]$/g, '')),
      }),
    );
    setSessionCookie(request, reply, registered.access_token);
    return registered;
  });

  route('POST /v0/auth/login', { config: { public: true, ...perAddress } }, async (request, reply) => {
    const [answer, forgetAttempt] = await passwordPlaces(request.ip, async () => {
      const forget = await signInLimit.countSignIn(request.body.email, request.ip);
      return [await signIn.login(request.body, deviceOf(request)), forget] as const;
    });
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
  });

  route('POST /v0/auth/logout', async ({ principal }, reply) => {
    await signIn.logout(principal);
    return reply.clearCookie(sessionCookie, { path: '/' }).header('clear-site-data', '"cache"').code(204).send();
  });

  route('PUT /v0/auth/password', { config: perAddress }, async (request) => {
    // An intruder in an open session must not guess the password.
    await passwordPlaces(request.ip, async () => {
      const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
      await signIn.changePassword(request.principal, request.body);
      await forgetAttempt();
    });
  });

  route('GET /v0/auth/sessions', ({ principal, query }) => signIn.listSessions(principal, query));

  route('DELETE /v0/auth/sessions', async ({ principal, query }, reply) => {
    await signIn.endSessions(principal, query);
    if (!query.keep_current) void reply.clearCookie(sessionCookie, { path: '/' });
  });

  route('DELETE /v0/auth/sessions/:session_id', ({ principal, params }) =>
    signIn.endSession(principal, params.session_id),
  );
  route('GET /v0/me', ({ principal }) => signIn.me(principal));

  route(
    'GET /sign-in',
    {
      config: perAddress,
      // Link previews request HEAD, which must not use the link up.
      exposeHeadRoute: false,
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
