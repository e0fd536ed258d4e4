import type { FastifyPluginAsync } from 'fastify';
import type { Readiness } from './readiness.ts';
import { routesOf } from './route.ts';

export const healthRoutes: FastifyPluginAsync<{ readiness: Readiness }> = async (app, { readiness }) => {
  const route = routesOf(app);
  const options = { config: { rateLimit: false }, logLevel: 'warn' } as const;
  route('GET /health', options, () => ({ status: 'healthy' as const }));
  route('GET /ready', options, (_request, reply) => {
    const missing = readiness.missing();
    if (missing.length === 0) return { status: 'ready' as const, missing };
    return reply.code(503).send({ status: 'not_ready', missing });
  });
};
