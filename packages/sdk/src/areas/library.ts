import type { promptListQuery, schemaListQuery, tagListQuery } from '@docwright/contract';
import type { z } from 'zod';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Filter and page of `schemas.list`. */
export type SchemaQuery = Partial<z.infer<typeof schemaListQuery>>;
/** Filter and page of `prompts.list`. */
export type PromptQuery = Partial<z.infer<typeof promptListQuery>>;
/** Filter and page of `tags.list`. */
export type TagQuery = Partial<z.infer<typeof tagListQuery>>;

/** Schemas: `schema_id` identifies a schema, `schema_revid` one of its immutable revisions. */
export function createSchemas(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/schemas', 'query');
  return {
    /** Lists a page of schemas, each in its newest revision. */
    list,
    /** Yields all schemas that match the query. */
    listAll: listAllOf(list, ({ schemas }) => schemas),
    /** Creates a schema. */
    create: api.operation('POST /v0/orgs/:org_id/schemas', 'body'),
    /** One revision of a schema. */
    get: api.operation('GET /v0/orgs/:org_id/schemas/:id'),
    /** Creates a new revision with the given fields. */
    update: api.operation('PUT /v0/orgs/:org_id/schemas/:id', 'body'),
    /** Deletes a schema that no current prompt uses. */
    delete: api.operation('DELETE /v0/orgs/:org_id/schemas/:id'),
    /** Lists a page of revisions, the newest first. */
    versions: api.operation('GET /v0/orgs/:org_id/schemas/:id/versions', 'query'),
    /** Validates data against a revision. */
    validate: (schemaRevid: string, data: unknown, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/schemas/:id/validate', 'body')(schemaRevid, { data }, options),
    /** Converts columns to a new schema, or with `schema_id` to a new revision of that schema. */
    fromColumns: api.operation('POST /v0/orgs/:org_id/schemas/from-columns', 'body'),
    /** Converts a schema to columns; `kept` has the fields that columns cannot express. */
    columns: api.operation('GET /v0/orgs/:org_id/schemas/:id/columns'),
  };
}

/** Prompts: `prompt_id` identifies a prompt, `prompt_revid` one of its immutable revisions. */
export function createPrompts(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/prompts', 'query');
  return {
    /** Lists a page of prompts, each in its newest revision. */
    list,
    /** Yields all prompts that match the query. */
    listAll: listAllOf(list, ({ prompts }) => prompts),
    /** Creates a prompt. */
    create: api.operation('POST /v0/orgs/:org_id/prompts', 'body'),
    /** One revision of a prompt. */
    get: api.operation('GET /v0/orgs/:org_id/prompts/:id'),
    /** Creates a new revision with the given fields. */
    update: api.operation('PUT /v0/orgs/:org_id/prompts/:id', 'body'),
    /** Deletes a prompt. */
    delete: api.operation('DELETE /v0/orgs/:org_id/prompts/:id'),
    /** Lists a page of revisions, the newest first. */
    versions: api.operation('GET /v0/orgs/:org_id/prompts/:id/versions', 'query'),
  };
}

/** Tags of documents and prompts. */
export function createTags(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/tags', 'query');
  return {
    /** Lists a page of tags. */
    list,
    /** Yields all tags that match the query. */
    listAll: listAllOf(list, ({ tags }) => tags),
    /** Creates a tag. `color` is written `#rrggbb`. */
    create: api.operation('POST /v0/orgs/:org_id/tags', 'body'),
    /** One tag. */
    get: api.operation('GET /v0/orgs/:org_id/tags/:tag_id'),
    /** Changes the given fields. */
    update: api.operation('PUT /v0/orgs/:org_id/tags/:tag_id', 'body'),
    /** Deletes a tag that no document or current prompt has. */
    delete: api.operation('DELETE /v0/orgs/:org_id/tags/:tag_id'),
  };
}
