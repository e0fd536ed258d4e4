import { fastifyHelmet } from '@fastify/helmet';
import fastifyPlugin from 'fastify-plugin';

/**
 * The page may run our own scripts, the PDF reader's WebAssembly and its worker, and show what it
 * holds in memory; nothing else. Transport security is left to whoever terminates TLS.
 */
export const securityHeaders = fastifyPlugin(
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
  },
  { name: 'security-headers' },
);
