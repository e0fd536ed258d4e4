import { pathOf, queryString, type Query } from './address.ts';
import { createOperations, type MakeOperation } from './operation.ts';
import type { CallOptions, RequestOptions, Transport } from './transport.ts';

/** Requests in one organization, by the segments of the path. */
export interface OrganizationApi {
  /** The call of an operation of the contract. */
  operation: MakeOperation;
  get<Answer>(segments: readonly string[], query?: Query, options?: CallOptions): Promise<Answer>;
  send<Answer>(
    method: 'POST' | 'PUT' | 'PATCH',
    segments: readonly string[],
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer>;
  delete(segments: readonly string[], options?: CallOptions): Promise<void>;
  /** The response as soon as its headers arrive, for files and streams. */
  open(segments: readonly string[], options?: RequestOptions, query?: Query): Promise<Response>;
  json<Answer>(segments: readonly string[], options?: RequestOptions): Promise<Answer>;
}

type OrganizationLookup = (options?: CallOptions) => Promise<string>;
type Address = { path: string; headers?: Record<string, string> };

/** Requests below `/v0/orgs/{org_id}`. */
export function createOrganizationApi(transport: Transport, organizationId: OrganizationLookup): OrganizationApi {
  return createApi(transport, organizationId, async (segments, options) => ({
    path: `/v0/orgs${pathOf([await organizationId(options), ...segments])}`,
  }));
}

/** Requests below a path such as `/api/v2`, with the organization in a header. */
export function createHeaderApi(
  transport: Transport,
  base: string,
  organizationId: OrganizationLookup,
): OrganizationApi {
  return createApi(transport, organizationId, async (segments, options) => ({
    path: `${base}${pathOf(segments)}`,
    headers: { 'x-org-id': await organizationId(options) },
  }));
}

function createApi(
  transport: Transport,
  organizationId: OrganizationLookup,
  addressOf: (segments: readonly string[], options?: CallOptions) => Promise<Address>,
): OrganizationApi {
  async function prepare(
    segments: readonly string[],
    options: RequestOptions = {},
    query: Query = {},
  ): Promise<[path: string, options: RequestOptions]> {
    const { path, headers } = await addressOf(segments, options);
    return [path + queryString(query), { ...options, headers: { ...options.headers, ...headers } }];
  }
  return {
    operation: createOperations(transport, organizationId),
    get: async (segments, query, options) => transport.json(...(await prepare(segments, options, query))),
    send: async (method, segments, body, options) =>
      transport.json(...(await prepare(segments, { ...options, method, body }))),
    delete: async (segments, options) => transport.done(...(await prepare(segments, { ...options, method: 'DELETE' }))),
    open: async (segments, options, query) => transport.open(...(await prepare(segments, options, query))),
    json: async (segments, options) => transport.json(...(await prepare(segments, options))),
  };
}

/** Time limit in milliseconds of a call that waits for a model's answer. */
export const modelTimeout = 600_000;
