import { errorCodes, statusOfKind, type DomainErrorKind, type ErrorCode } from '@docwright/contract';
import type { FastifyContextConfig, FastifySchema } from 'fastify';

import { mayStoreMore } from './growing-requests.ts';
import { refusesUnknownParameters } from './queries/known-parameters.ts';
import { pagesByCursor } from './queries/page-cursors.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** The route's own error codes, besides those that follow from its path and method. */
    errors?: readonly ErrorCode[];
  }
}

export interface RouteError {
  status: number;
  code: string;
  /** When it is answered. */
  about: string;
}

interface DescribedRoute {
  method: string | readonly string[];
  url: string;
  schema?: FastifySchema | undefined;
  config?: FastifyContextConfig | undefined;
}

/** Routes for programs: callers sign in, unless the route is public, and get JSON. */
export function isForPrograms(url: string): boolean {
  return /^\/(v0|api|mcp)(\/|$)/.test(url);
}

/** Every error code of a route, once each, by status and code. */
export function errorsOf(route: DescribedRoute): RouteError[] {
  const codes = new Set([...commonCodes(route), ...(route.schema?.errors ?? [])]);
  return [...codes]
    .map(errorOf)
    .toSorted((one, other) => one.status - other.status || one.code.localeCompare(other.code));
}

/** The codes that follow from a route's path and method alone. */
function commonCodes({ method, url, schema, config }: DescribedRoute): ErrorCode[] {
  const codes: ErrorCode[] = ['internal_error'];
  if (config?.rateLimit !== false) codes.push('too_many_requests');
  if (!isForPrograms(url)) return schema?.querystring === undefined ? codes : [...codes, 'invalid_request'];
  if (refusesUnknownParameters(url)) codes.push('unknown_parameter');
  if (pagesByCursor(schema)) codes.push('cursor_not_valid');
  const writes = ![method].flat().every((name) => name === 'GET' || name === 'HEAD');
  codes.push('database_unavailable', 'files_unavailable');
  if (url !== '/mcp') codes.push('not_ready');
  // Reads also write: the last use of a token, the position of a stream.
  codes.push('disk_full');
  if ([method].flat().some((name) => mayStoreMore(name, url))) codes.push('storage_limit_reached');
  if (writes) codes.push('bad_request', 'body_too_large', 'malformed_json', 'unsupported_media_type');
  if (writes || schema?.querystring !== undefined) codes.push('invalid_request');
  if (config?.public !== true) {
    codes.push('not_signed_in', 'bad_credentials', 'scope_missing');
    if (writes) codes.push('cross_origin_write');
  }
  // A signed-in caller acts in an organization there, on public routes too.
  const choosesOrganization = !url.startsWith('/v0/');
  if (choosesOrganization) codes.push('no_organization');
  if (choosesOrganization || url.startsWith('/v0/orgs/:org_id')) codes.push('second_factor_required');
  if (choosesOrganization || url.includes(':')) codes.push('not_found');
  return codes;
}

const kinds = Object.keys(errorCodes) as DomainErrorKind[];

/** Each error by its code, and by its kind and code. Of two kinds with the same code, the first one has it. */
const errorsByName = new Map(
  kinds.toReversed().flatMap((kind) =>
    Object.entries(errorCodes[kind]).flatMap(([code, about]): [string, RouteError][] => {
      const error = { status: statusOfKind[kind], code, about };
      return [
        [code, error],
        [`${kind}.${code}`, error],
      ];
    }),
  ),
);

function errorOf(declared: ErrorCode): RouteError {
  const error = errorsByName.get(declared);
  if (error === undefined) throw new Error(`No error has the code ${declared}.`);
  return error;
}
