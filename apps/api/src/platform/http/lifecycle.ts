import { DomainError } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Readiness } from './readiness.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server starts to stop; open streams then end. */
    readonly closing: AbortSignal;
  }
}

/** Sets request ids, rejects requests while the server is not ready, and ends open streams on close. */
export const lifecycle = fastifyPlugin(
  async (app, { readiness, servesApi = true }: { readiness: Readiness; servesApi?: boolean }) => {
    const stop = new AbortController();
    app.decorate('closing', stop.signal);
    app.addHook('preClose', async () => stop.abort());

    app.addHook('onRequest', async (request, reply) => {
      void reply.header('x-request-id', request.id);
      if (!servesApi && !['/health', '/ready', '/metrics'].includes(request.routeOptions.url ?? '')) {
        throw new DomainError('not_found', 'worker_only', 'This process runs jobs only (ROLE=worker).');
      }
      if (!/^\/(?:v0|api|mcp)\b/.test(request.url)) return;
      // Routes of files replace it: they check the right again before a stored copy is used.
      void reply.header('cache-control', 'private, no-store');
      if (!/^\/(v0|api)\//.test(request.url)) return;
      const missing = readiness.missing().filter((part) => part !== 'disk');
      if (missing.length > 0) {
        throw new DomainError('not_ready', 'not_ready', `Not ready yet: ${missing.join(', ')}. Try again shortly.`, {
          missing,
        });
      }
      if (readiness.missing().includes('disk') && mayGrow(request)) {
        throw new DomainError('storage_full', 'disk_full', diskFullMessage);
      }
    });
  },
  { name: 'lifecycle' },
);

const diskFullMessage =
  'The disk of the database is full. Delete what is not needed, also from the trash, or free some space; pending work then continues by itself.';

/** Requests that free space, and those without which nobody could send them. */
const freesSpace = /\/documents\/bulk(?:\/|$)|^\/v0\/auth\/|^\/v0\/oauth\/token$|\/undo$/u;

/**
 * Whether a request can need space that a deletion would then lack: a deletion writes its records, too, before anything is
 * free.
 */
function mayGrow({ method, url }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  return ['POST', 'PUT', 'PATCH'].includes(method) && !freesSpace.test(path);
}
