import { constants } from 'node:zlib';
import { fastifyCompress } from '@fastify/compress';
import { fastifyCookie } from '@fastify/cookie';
import { fastifyJwt } from '@fastify/jwt';
import { fastifyMultipart } from '@fastify/multipart';
import { fastifyRateLimit, type FastifyRateLimitOptions, type FastifyRateLimitStore } from '@fastify/rate-limit';
import { fastifySSE } from '@fastify/sse';
import { DomainError } from '@docwright/contract';
import fastifyPlugin from 'fastify-plugin';
import { deriveKey } from '../../settings/app-secret.ts';
import { shareOf } from '../../processes/share-of.ts';
import type { Settings } from '../../settings/settings.ts';
import { isEncrypted } from './encrypted.ts';
import { openApi } from './open-api.ts';
import { fastifyHelmet } from '@fastify/helmet';

const halfYearSeconds = 180 * 24 * 3_600;

/**
 * Pages may run our own scripts, the PDF reader's WebAssembly and its worker, and show blobs and data URLs; nothing
 * else. A browser that came by TLS comes back by TLS only. Other hosts of the domain are not
 * concerned.
 */
const securityHeaders = fastifyPlugin(
  async (app) => {
    await app.register(fastifyHelmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
          workerSrc: ["'self'", 'blob:'],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'blob:', 'data:'],
          fontSrc: ["'self'", 'blob:', 'data:'],
          connectSrc: ["'self'", 'blob:', 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'same-origin' },
    });
    app.addHook('onRequest', async (request, reply) => {
      if (isEncrypted(request)) void reply.header('strict-transport-security', `max-age=${halfYearSeconds}`);
    });
  },
  { name: 'security-headers' },
);

interface Window {
  count: number;
  startedAt: number;
}

/** The maximum number of counted callers; beyond it, the least recent one is dropped. */
const maxCallers = 5_000;

/**
 * Counts each caller's requests within a time window, by the monotonic clock: with a wall clock that is set back an
 * hour, a full window would lock its caller out for that hour.
 */
class RequestCounts implements FastifyRateLimitStore {
  readonly #windows = new Map<string, Window>();

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = performance.now();
    const previous = this.#windows.get(key);
    const isOver = previous === undefined || previous.startedAt + timeWindow <= now;
    const window = isOver ? { count: 1, startedAt: now } : { ...previous, count: previous.count + 1 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    for (const [first] of this.#windows) {
      if (this.#windows.size <= maxCallers) break;
      this.#windows.delete(first);
    }
    callback(null, { current: window.count, ttl: Math.ceil(window.startedAt + timeWindow - now) });
  }

  child(_options: FastifyRateLimitOptions): FastifyRateLimitStore {
    return new RequestCounts();
  }
}

/** Registers the libraries that every route can rely on. */
export const externalPlugins = fastifyPlugin(
  async (
    app,
    {
      appSecret,
      settings,
      apiProcesses,
      requestsPerMinute = 12_000,
    }: { appSecret: string; settings: Settings; apiProcesses: () => number; requestsPerMinute?: number },
  ) => {
    await app.register(securityHeaders);
    await app.register(fastifyCompress, {
      // Files are not compressed: byte ranges refer to the stored bytes. Event streams are not, since compression
      // delays them.
      customTypes: /^application\/json|^text\/(css|javascript)|^application\/javascript/u,
      threshold: 1024,
      encodings: ['br', 'gzip'],
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
      // A small compressed body could unpack to any size.
      globalDecompression: false,
    });
    await app.register(fastifyCookie);
    await app.register(fastifyJwt, { secret: deriveKey(appSecret, 'jwt') });
    await app.register(fastifyRateLimit, {
      max: () => shareOf(requestsPerMinute, apiProcesses()),
      timeWindow: 60_000,
      store: RequestCounts,
      errorResponseBuilder: (_request, { after }) =>
        new DomainError('rate_limited', 'too_many_requests', `Too many requests. Try again in ${after}.`),
    });
    await app.register(fastifyMultipart, { limits: { fileSize: settings.maxUploadBytes, files: 100, fields: 20 } });
    await app.register(fastifySSE, { heartbeatInterval: 15_000 });
    await app.register(openApi);
  },
  { name: 'external-plugins' },
);
