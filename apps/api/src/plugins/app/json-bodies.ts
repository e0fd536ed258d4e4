import { DomainError, whyNotStored } from '@docwright/contract';
import fastifyPlugin from 'fastify-plugin';

/** Reads bodies that are JSON, and refuses at the door what nothing behind it could take. */
export const jsonBodies = fastifyPlugin(
  async (app) => {
    const read = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['text/plain', 'application/json']);
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      void read(request, text, (error, body) => {
        const reason = error ? undefined : whyNotStored(body);
        if (reason === undefined) done(error, body);
        else done(new DomainError('unprocessable', 'invalid_request', `The body cannot be taken. ${reason}`));
      });
    });
  },
  { name: 'json-bodies' },
);
