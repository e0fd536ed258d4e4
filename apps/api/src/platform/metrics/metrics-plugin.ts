import type { ServerResponse } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from './metrics.ts';

/** Serves the metrics as Prometheus text, and measures requests. */
export const metricsPlugin = fastifyPlugin(
  async (app, { metrics }: { metrics: Metrics }) => {
    const open = new Map<ServerResponse, string>();
    app.addHook('onRequest', async (request, { raw }) => {
      open.set(raw, request.routeOptions.url ?? 'unmatched');
      raw.once('close', () => open.delete(raw));
    });
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unmatched';
      const labels = { method: request.method, route, status: reply.statusCode };
      metrics.httpDuration.observe(labels, reply.elapsedTime / 1000);
    });
    metrics.gauge(
      'docwright_sse_readers',
      'Event streams that are open in this process, by route.',
      ['route'],
      (gauge) => {
        gauge.reset();
        for (const [response, route] of open) if (isEventStream(response)) gauge.inc({ route });
      },
    );
    app.get(
      '/metrics',
      {
        config: { rateLimit: false },
        logLevel: 'warn',
        schema: {
          tags: ['operations'],
          operationId: 'getMetrics',
          summary: 'Prometheus metrics',
          description:
            'Prometheus text format, of this process: requests by route, turns, model calls, headless runs, recognised pages, jobs, the database, the event loop; and the queues of the whole installation. No label contains an id or a name of a user, an organization or a document.',
        },
      },
      async (_request, reply) => {
        const { contentType } = metrics.registry;
        return reply.type(contentType).send(await metrics.registry.metrics());
      },
    );
    app.addHook('onClose', async () => metrics.registry.clear());
  },
  { name: 'metrics' },
);

function isEventStream(response: ServerResponse): boolean {
  return response.headersSent && String(response.getHeader('content-type')).startsWith('text/event-stream');
}
