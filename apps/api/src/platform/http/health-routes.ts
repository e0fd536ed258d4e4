import { healthAnswer, readyAnswer } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { operationsOf } from './operation.ts';
import type { Readiness } from './readiness.ts';

const operation = operationsOf('operations');

export const healthRoutes: FastifyPluginAsyncZod<{ readiness: Readiness }> = async (app, { readiness }) => {
  app.get(
    '/health',
    {
      config: { rateLimit: false },
      logLevel: 'warn',
      ...operation({
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        response: { 200: healthAnswer },
      }),
    },
    async () => ({ status: 'healthy' as const }),
  );
  app.get(
    '/ready',
    {
      config: { rateLimit: false },
      logLevel: 'warn',
      ...operation({
        operationId: 'getReadiness',
        summary: 'Whether the server is ready',
        description: '`missing` lists the parts that are down; meanwhile routes below /v0 and /api answer 503.',
        response: { 200: readyAnswer, 503: readyAnswer },
      }),
    },
    async (_request, reply) => {
      const missing = readiness.missing();
      return reply
        .code(missing.length === 0 ? 200 : 503)
        .send({ status: missing.length === 0 ? 'ready' : 'not_ready', missing });
    },
  );
};
