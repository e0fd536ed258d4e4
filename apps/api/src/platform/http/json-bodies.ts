import { DomainError, lostDigits, parseExactJson, reasonNotStorable, type ExactJson } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { z } from 'zod';
import { memberBody, publicBody, surveyBody } from './body-bounds.ts';

/**
 * Parses JSON bodies. Rejects what would block the process before it is parsed, values that the database cannot store,
 * and numbers that would lose digits.
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
        const { beyond, hasLongNumbers } = await surveyBody(text, bounds);
        if (beyond !== undefined) throw refused(`The body is too large to read. ${beyond}`);
        const body = await new Promise<unknown>((resolve, reject) => {
          void read(request, text, (error, parsed) => (error === null ? resolve(parsed) : reject(error)));
        });
        const reason = reasonNotStorable(body);
        if (reason !== undefined) throw refused(`The body cannot be stored. ${reason}`);
        const lost = hasLongNumbers === true ? lostDigits(freeNumbersOf(parseExactJson(text), request)) : undefined;
        if (lost !== undefined) throw refused(`The body would lose digits: ${lost}`);
        return body;
      },
    );
  },
  { name: 'json-bodies' },
);

/**
 * Without the numbers that the body's schema takes as numbers, such as the edges of a box: nobody misses their last digits.
 */
function freeNumbersOf(exact: ExactJson, { routeOptions }: FastifyRequest): ExactJson {
  const schema = routeOptions.schema?.body;
  const paths = Object.keys(exact.raw);
  if (!(schema instanceof z.ZodType) || paths.length === 0) return exact;
  const asTexts: { value: unknown } = { value: exact.value };
  for (const path of paths) setAt(asTexts, `value.${path}`.split('.'), exact.raw[path]);
  const issues = schema.safeParse(asTexts.value).error?.issues ?? [];
  const typed = new Set(issues.filter(({ code }) => code === 'invalid_type').map((issue) => issue.path.join('.')));
  return { ...exact, raw: Object.fromEntries(Object.entries(exact.raw).filter(([path]) => !typed.has(path))) };
}

function setAt(container: object, keys: readonly string[], value: unknown): void {
  let at = container as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  if (typeof at === 'object' && at !== null && Object.hasOwn(at, keys.at(-1)!)) at[keys.at(-1)!] = value;
}

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
