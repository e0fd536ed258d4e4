import {
  DomainError,
  losesDigits,
  lostDigits,
  parseExactJson,
  parseJsonWithDigits,
  reasonNotStorable,
  type ExactJson,
} from '@docwright/contract';
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
        const lost = hasLongNumbers === true ? lostDigits(freeNumbersOf(text, request)) : undefined;
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
function freeNumbersOf(text: string, { routeOptions }: FastifyRequest): ExactJson {
  const exact = parseExactJson(text);
  const schema = routeOptions.schema?.body;
  if (Object.keys(exact.raw).length === 0) return exact;
  const asTexts = parseJsonWithDigits(text);
  const issues = schema instanceof z.ZodType ? (schema.safeParse(asTexts).error?.issues ?? []) : [];
  const typed = new Set(issues.filter(({ code }) => code === 'invalid_type').map((issue) => placeOf(issue.path)));
  // Before paths are joined: two places can have the same joined path.
  const free = roundedIn(exact.value, asTexts).filter(
    ({ path, digits }) => losesDigits(digits) && !typed.has(placeOf(path)),
  );
  return { ...exact, raw: Object.fromEntries(free.map(({ path, digits }) => [path.join('.'), digits])) };
}

/** Differs for a key with a dot and a key below another one. */
const placeOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

/** The numbers that were rounded: `asTexts` is the same value with the texts of their digits. */
function roundedIn(value: unknown, asTexts: unknown, path: string[] = []): { path: string[]; digits: string }[] {
  if (typeof value === 'number' && typeof asTexts === 'string') return [{ path, digits: asTexts }];
  if (typeof value !== 'object' || value === null) return [];
  // Both have the same keys in the same order.
  const texts = Object.values(asTexts as object) as unknown[];
  return Object.entries(value).flatMap(([key, below], at) => roundedIn(below, texts[at], [...path, key]));
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
