import { context, propagation, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

const spans = new WeakMap<FastifyRequest, Span>();
/** Monitoring asks for these every few seconds. */
const unwatched = new Set(['/health', '/ready', '/metrics']);
const firstServerError = 500;

/** A span for each request, in the trace of its `traceparent`. Named by the route, because addresses contain ids. */
export const traceRequests = fastifyPlugin(
  async (app) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url ?? 'unmatched';
      if (unwatched.has(route)) return done();
      const parent = propagation.extract(context.active(), request.headers);
      const attributes = { 'http.request.method': request.method, 'http.route': route };
      const name = `${request.method} ${route}`;
      const span = trace.getTracer('docwright').startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      if (!span.isRecording()) return done();
      spans.set(request, span);
      context.with(trace.setSpan(parent, span), done);
    });
    app.addHook('onResponse', async (request, { statusCode }) => {
      const span = spans.get(request);
      span?.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= firstServerError) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    });
    // A reader that left before the answer was complete.
    app.addHook('onRequestAbort', async (request) => spans.get(request)?.end());
  },
  { name: 'trace-requests' },
);
