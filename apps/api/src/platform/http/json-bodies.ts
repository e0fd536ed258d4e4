import { DomainError, reasonNotStorable } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { memberBody, publicBody, reasonBeyond } from './body-bounds.ts';

/**
 * Parses JSON bodies. Rejects what would block the process before it is parsed, and values that the database cannot
 * store.
 */
export const jsonBodies = fastifyPlugin(
  async (app) => {
    const read = app.getDefaultJsonParser('error', 'error');
    app.addHook('onRoute', (route) => {
      if (isPublic(route.config)) route.bodyLimit ??= publicBody.bytes;
    });
    app.removeContentTypeParser(['text/plain', 'application/json']);
    app.addContentTypeParser<string>(
      'application/json',
      { parseAs: 'string' },
      async (request: FastifyRequest, text: string) => {
        // Many clients send a content type without a body, and no handler reads the body of an unknown path.
        if (request.is404 || (text === '' && isBodyOptional(request))) return undefined;
        const bounds = isPublic(request.routeOptions.config) ? publicBody : memberBody;
        const beyond = await reasonBeyond(text, bounds);
        if (beyond !== undefined) throw refused(`The body is too large to read. ${beyond}`);
        const body = await new Promise<unknown>((resolve, reject) => {
          void read(request, text, (error, parsed) => (error === null ? resolve(parsed) : reject(error)));
        });
        const reason = reasonNotStorable(body);
        if (reason !== undefined) throw refused(`The body cannot be stored. ${reason}`);
        return body;
      },
    );
  },
  { name: 'json-bodies' },
);

function refused(message: string): DomainError {
  return new DomainError('unprocessable', 'invalid_request', message);
}

function isPublic(config: { public?: boolean } | undefined): boolean {
  return config?.public === true;
}

function isBodyOptional({ routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body;
  return body === undefined || (body instanceof z.ZodType && body.safeParse(undefined).success);
}
