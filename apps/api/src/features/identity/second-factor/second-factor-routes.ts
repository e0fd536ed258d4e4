import {
  confirmSecondFactorBody,
  passwordAndCodeBody,
  passwordBody,
  proposedSecondFactor,
  recoveryCodes,
  secondFactorState,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { SignInLimit } from '../sign-in-limit/sign-in-limit.ts';
import type { SecondFactorService } from './second-factor-service.ts';

const operation = operationsOf('identity');
const timeWindow = 60_000;

export const secondFactorRoutes: FastifyPluginAsyncZod<{
  services: { secondFactor: SecondFactorService; signInLimit: SignInLimit };
  signInsPerMinute?: number;
}> = async (app, { services: { secondFactor, signInLimit }, signInsPerMinute = 120 }) => {
  const config = { rateLimit: { max: signInsPerMinute, timeWindow } };

  app.get(
    '/v0/auth/second_factor',
    operation({
      operationId: 'getSecondFactor',
      summary: 'Get the state of the second factor',
      errors: ['session_needed'],
      response: { 200: secondFactorState },
    }),
    async (request) => secondFactor.state(request.principal),
  );

  app.post(
    '/v0/auth/second_factor/totp',
    {
      config,
      ...operation({
        operationId: 'proposeSecondFactor',
        summary: 'Get a secret for an authenticator app',
        description:
          'Answers a TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds) and its `otpauth:` URI for a QR code. It takes effect when a code of it is confirmed within 15 minutes.',
        body: passwordBody,
        errors: ['wrong_password', 'session_needed', 'second_factor_on', 'too_many_sign_ins'],
        response: { 201: proposedSecondFactor },
      }),
    },
    async (request, reply) => {
      const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
      const proposed = await secondFactor.propose(request.principal, request.body.password);
      await forgetAttempt();
      return reply.code(201).header('cache-control', 'no-store').send(proposed);
    },
  );

  app.post(
    '/v0/auth/second_factor/totp/confirm',
    {
      config,
      ...operation({
        operationId: 'confirmSecondFactor',
        summary: 'Turn the second factor on',
        description:
          'Takes a code of the authenticator app. From then on, a sign-in with the password needs a `code`. Answers ten recovery codes, each for one sign-in, which are shown only once. Ends every other session; access tokens stay.',
        body: confirmSecondFactorBody,
        errors: ['session_needed', 'second_factor_on', 'enrolment_over', 'code_not_confirmed', 'too_many_sign_ins'],
        response: { 200: recoveryCodes },
      }),
    },
    async (request, reply) => {
      const codes = await secondFactor.confirm(request.principal, request.body.code);
      return reply.header('cache-control', 'no-store').send(codes);
    },
  );

  app.post(
    '/v0/auth/second_factor/recovery_codes',
    {
      config,
      ...operation({
        operationId: 'renewRecoveryCodes',
        summary: 'Replace the recovery codes',
        description: 'The previous codes stop working.',
        body: passwordAndCodeBody,
        errors: ['wrong_password', 'wrong_code', 'session_needed', 'second_factor_off', 'too_many_sign_ins'],
        response: { 200: recoveryCodes },
      }),
    },
    async (request, reply) => {
      const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
      const codes = await secondFactor.renewRecoveryCodes(request.principal, request.body);
      await forgetAttempt();
      return reply.header('cache-control', 'no-store').send(codes);
    },
  );

  app.post(
    '/v0/auth/second_factor/remove',
    {
      config,
      ...operation({
        operationId: 'removeSecondFactor',
        summary: 'Turn the second factor off',
        description: 'Takes the password and a code or a recovery code.',
        body: passwordAndCodeBody,
        errors: ['wrong_password', 'wrong_code', 'session_needed', 'second_factor_off', 'too_many_sign_ins'],
        response: { 204: z.undefined() },
      }),
    },
    async (request, reply) => {
      const forgetAttempt = await signInLimit.countSignIn(request.principal.userId, request.ip);
      await secondFactor.remove(request.principal, request.body);
      await forgetAttempt();
      return reply.code(204).send();
    },
  );
};
