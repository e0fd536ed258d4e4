import { pathOf, queryString, type Query } from './address.ts';
import type { CallOptions, RequestOptions, Transport } from './transport.ts';

/** Requests below `/v0/orgs/{org_id}`, by the segments of the path. */
export interface OrganizationApi {
  get<Answer>(segments: readonly string[], query?: Query, options?: CallOptions): Promise<Answer>;
  send<Answer>(
    method: 'POST' | 'PUT' | 'PATCH',
    segments: readonly string[],
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer>;
  delete(segments: readonly string[], options?: CallOptions): Promise<void>;
  open(segments: readonly string[], options?: RequestOptions): Promise<Response>;
  json<Answer>(segments: readonly string[], options?: RequestOptions): Promise<Answer>;
}

export function createOrganizationApi(
  transport: Transport,
  organizationId: (options?: CallOptions) => Promise<string>,
): OrganizationApi {
  const path = async (segments: readonly string[], options?: CallOptions) =>
    `/v0/orgs${pathOf([await organizationId(options), ...segments])}`;
  return {
    async get(segments, query = {}, options) {
      return await transport.json((await path(segments, options)) + queryString(query), { ...options });
    },
    async send(method, segments, body, options) {
      return await transport.json(await path(segments, options), { ...options, method, body });
    },
    async delete(segments, options) {
      await transport.done(await path(segments, options), { ...options, method: 'DELETE' });
    },
    async open(segments, options) {
      return await transport.open(await path(segments, options), options);
    },
    async json(segments, options) {
      return await transport.json(await path(segments, options), options);
    },
  };
}

/** A model writes the answer: that takes as long as it takes. */
export const modelTimeout = 600_000;
