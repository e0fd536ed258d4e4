import { constants } from 'node:zlib';
import { fastifyCompress } from '@fastify/compress';
import { fastifyCookie } from '@fastify/cookie';
import { fastifyJwt } from '@fastify/jwt';
import { fastifyMultipart } from '@fastify/multipart';
import { fastifyRateLimit } from '@fastify/rate-limit';
import { fastifySSE } from '@fastify/sse';
import { DomainError } from '@docwright/contract';
import fastifyPlugin from 'fastify-plugin';
import { deriveKey } from '../../settings/app-secret.ts';
import type { Settings } from '../../settings/settings.ts';
import { openApi } from './open-api.ts';
import { RequestCounts } from './request-counts.ts';
import { securityHeaders } from './security-headers.ts';

/** The libraries that every route may count on. */
export const externalPlugins = fastifyPlugin(
  async (
    app,
    { appSecret, settings, requestsPerMinute }: { appSecret: string; settings: Settings; requestsPerMinute?: number },
  ) => {
    await app.register(securityHeaders);
    await app.register(fastifyCompress, {
      // Files are sent as they are stored: a range of a compressed file would be another range. Event streams must not wait.
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
      max: requestsPerMinute ?? 12_000,
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
