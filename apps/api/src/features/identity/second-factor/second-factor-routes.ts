import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { SecondFactorService } from './second-factor-service.ts';

const timeWindow = 60_000;

export const secondFactorRoutes: FastifyPluginAsync<{
  services: { secondFactor: SecondFactorService; signInLimit: SignInLimit };
  signInsPerMinute?: number;
}> = async (app, { services: { secondFactor, signInLimit }, signInsPerMinute = 120 }) => {
  const route = routesOf(app);

  const config = { rateLimit: { max: signInsPerMinute, timeWindow } };

  route('GET /v0/auth/second_factor', ({ principal }) => secondFactor.state(principal));

  route('POST /v0/auth/second_factor/totp', { config }, async (request, reply) => {
    const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
    const proposed = await secondFactor.propose(request.principal, request.body.password);
    await forgetAttempt();
    return reply.code(201).header('cache-control', 'no-store').send(proposed);
  });

  route('POST /v0/auth/second_factor/totp/confirm', { config }, async ({ principal, body }, reply) => {
    const codes = await secondFactor.confirm(principal, body.code);
    return reply.header('cache-control', 'no-store').send(codes);
  });

  route('POST /v0/auth/second_factor/recovery_codes', { config }, async (request, reply) => {
    const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
    const codes = await secondFactor.renewRecoveryCodes(request.principal, request.body);
    await forgetAttempt();
    return reply.header('cache-control', 'no-store').send(codes);
  });

  route('POST /v0/auth/second_factor/remove', { config }, async (request) => {
    const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
    await secondFactor.remove(request.principal, request.body);
    await forgetAttempt();
  });
};
