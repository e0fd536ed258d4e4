import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import { DomainError } from '@docwright/contract';
import type { FastifyReply } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyReply {
    /** Answers the page of the web app, which routes by itself from there. */
    sendWebApp(): FastifyReply;
  }
}

/** Serves the built web app. */
export const webApp = fastifyPlugin(
  async (app, { webRoot }: { webRoot?: string }) => {
    const built = webRoot !== undefined && existsSync(join(webRoot, 'index.html'));
    app.decorateReply('sendWebApp', function sendWebApp(this: FastifyReply) {
      if (!built) throw new DomainError('not_found', 'web_app_not_built', 'The web app is not built. Run npm start.');
      return this.sendFile('index.html', { cacheControl: false });
    });
    if (built) await app.register(fastifyStatic, { root: webRoot, wildcard: false });
  },
  { name: 'web-app' },
);
