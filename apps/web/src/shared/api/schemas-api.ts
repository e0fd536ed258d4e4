import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createSchemaBody, Schema, updateSchemaBody } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';

export interface ListSearch {
  name_search?: string | undefined;
  skip: number;
  limit: number;
}

const path = (orgId: string) => `/v0/orgs/${orgId}/schemas` as const;

/** Prefix of all query keys about an organization's schemas. */
export const schemasKey = (orgId: string) => ['schemas', orgId];

export function schemaListQuery(orgId: string, search: ListSearch) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The newest 100 revisions of a schema, newest first. */
export function schemaVersionsQuery(orgId: string, schemaId: string) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'versions', schemaId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${schemaId}/versions`, { query: { limit: 100 }, signal }),
  });
}

/** The prompts that use a schema, and what their documents have. */
export function schemaUseQuery(orgId: string, schemaId: string) {
  return queryOptions({
    queryKey: [...schemasKey(orgId), 'use', schemaId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${schemaId}/use`, { signal }),
  });
}

export function createSchema(orgId: string, body: z.input<typeof createSchemaBody>): Promise<Schema> {
  return requestJson(path(orgId), { method: 'POST', body });
}

export function updateSchema(orgId: string, schemaId: string, body: z.input<typeof updateSchemaBody>): Promise<Schema> {
  return requestJson(`${path(orgId)}/${schemaId}`, { method: 'PUT', body });
}

/** The name that a schema has now. */
export async function schemaName(orgId: string, schemaId: string): Promise<string | undefined> {
  const { schemas } = await requestJson(`${path(orgId)}/${schemaId}/versions`, { query: { limit: 1 } });
  return schemas[0]?.name;
}

export async function deleteSchema(orgId: string, schemaId: string): Promise<void> {
  await send(`${path(orgId)}/${schemaId}`, { method: 'DELETE' });
}
