import fastifyPlugin from 'fastify-plugin';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Prometheus text: the process, and how long requests took by route. */
export const metrics = fastifyPlugin(
  async (app) => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers: [registry],
    });
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unmatched';
      durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    });
    app.get(
      '/metrics',
      {
        config: { rateLimit: false },
        logLevel: 'warn',
        schema: { tags: ['operations'], summary: 'Prometheus metrics', description: 'Prometheus text format.' },
      },
      async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
    );
    app.addHook('onClose', async () => registry.clear());
  },
  { name: 'metrics' },
);
