import { DomainError, reasonNotStorable } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';

/** Parses JSON bodies, and rejects values that the database cannot store. */
export const jsonBodies = fastifyPlugin(
  async (app) => {
    const read = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['text/plain', 'application/json']);
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      // Many clients send a content type without a body.
      if (text === '' && isBodyOptional(request)) {
        done(null);
        return;
      }
      void read(request, text, (error, body) => {
        const reason = error ? undefined : reasonNotStorable(body);
        if (reason === undefined) done(error, body);
        else done(new DomainError('unprocessable', 'invalid_request', `The body cannot be stored. ${reason}`));
      });
    });
  },
  { name: 'json-bodies' },
);

function isBodyOptional({ routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body;
  return body === undefined || (body instanceof z.ZodType && body.safeParse(undefined).success);
}
