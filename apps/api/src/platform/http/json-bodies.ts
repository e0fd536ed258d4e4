import { DomainError, whyNotStored } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';

/** Reads bodies that are JSON, and refuses at the door what nothing behind it could take. */
export const jsonBodies = fastifyPlugin(
  async (app) => {
    const read = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['text/plain', 'application/json']);
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      // Many clients name the type of every request, of one without a body too.
      if (text === '' && mayBeLeftOut(request)) {
        done(null);
        return;
      }
      void read(request, text, (error, body) => {
        const reason = error ? undefined : whyNotStored(body);
        if (reason === undefined) done(error, body);
        else done(new DomainError('unprocessable', 'invalid_request', `The body cannot be taken. ${reason}`));
      });
    });
  },
  { name: 'json-bodies' },
);

function mayBeLeftOut({ routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body;
  return body === undefined || (body instanceof z.ZodType && body.safeParse(undefined).success);
}
