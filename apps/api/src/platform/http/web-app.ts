import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DomainError } from '@docwright/contract';
import { fastifyStatic } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyReply {
    /** Answers the page of the web app, whose router handles the path. */
    sendWebApp(): FastifyReply;
  }
}

/** The built files' names have no other characters. */
const fileName = /^[\w-][\w.-]*$/u;

/** Serves the built web app. Names below /assets contain a hash of their content and never change. */
export const webApp = fastifyPlugin(
  async (app, { webRoot }: { webRoot?: string }) => {
    app.decorateReply('sendWebApp', function sendWebApp(this: FastifyReply) {
      // Each time: the app can be built beside a running server.
      const isBuilt = webRoot !== undefined && existsSync(join(webRoot, 'index.html'));
      if (!isBuilt) throw new DomainError('not_found', 'web_app_not_built', 'The web app is not built. Run npm start.');
      return this.code(200).sendFile('index.html');
    });
    if (webRoot === undefined) return;
    await app.register(fastifyStatic, {
      root: webRoot,
      preCompressed: true,
      cacheControl: false,
      schemaHide: true,
      // A server without the web app is fine: it says so when a page is asked for.
      suppressWarning: true,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(webRoot, 'assets') + sep);
        void response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    // For other paths, the plugin reads whole folders to compare the spelling, which takes longer than sending a file.
    app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
      const { name } = request.params;
      return fileName.test(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound();
    });
  },
  { name: 'web-app' },
);

/** Whether a browser asks for a page that only the web app's own router knows. */
export function asksForPage(request: FastifyRequest): boolean {
  return (
    ['GET', 'HEAD'].includes(request.method) &&
    request.headers.accept?.includes('text/html') === true &&
    !/^\/(v0|api|docs|assets|health|ready|metrics)(\/|\?|$)/.test(request.url)
  );
}
