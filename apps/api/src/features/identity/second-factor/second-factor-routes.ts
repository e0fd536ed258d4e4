import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { PasswordPlaces } from '../secrets/password-places.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { SecondFactorService } from './second-factor-service.ts';

const timeWindow = 60_000;

export const secondFactorRoutes: FastifyPluginAsync<{
  services: { secondFactor: SecondFactorService; signInLimit: SignInLimit; passwordPlaces: PasswordPlaces };
  signInsPerMinute?: number;
}> = async (app, { services: { secondFactor, signInLimit, passwordPlaces }, signInsPerMinute = 120 }) => {
  const route = routesOf(app);

  const config = { rateLimit: { max: signInsPerMinute, timeWindow } };

  /** Checks the password in turn, and counts the attempt until it has succeeded. */
  const withPassword = <Answer>(
    { principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>,
    work: () => Promise<Answer>,
  ): Promise<Answer> =>
    passwordPlaces(ip, async () => {
      const forgetAttempt = await signInLimit.countSignIn(principal.userId, ip);
      const answer = await work();
      await forgetAttempt();
      return answer;
    });

  route('GET /v0/auth/second_factor', ({ principal }) => secondFactor.state(principal));

  route('POST /v0/auth/second_factor/totp', { config }, async (request, reply) => {
    const { principal, body } = request;
    const proposed = await withPassword(request, () => secondFactor.propose(principal, body.password));
    return reply.code(201).header('cache-control', 'no-store').send(proposed);
  });

  route('POST /v0/auth/second_factor/totp/confirm', { config }, async ({ principal, body }, reply) => {
    const codes = await secondFactor.confirm(principal, body.code);
    return reply.header('cache-control', 'no-store').send(codes);
  });

  route('POST /v0/auth/second_factor/recovery_codes', { config }, async (request, reply) => {
    const codes = await withPassword(request, () => secondFactor.renewRecoveryCodes(request.principal, request.body));
    return reply.header('cache-control', 'no-store').send(codes);
  });

  route('POST /v0/auth/second_factor/remove', { config }, async (request) => {
    await withPassword(request, () => secondFactor.remove(request.principal, request.body));
  });
};
