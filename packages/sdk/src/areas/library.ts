import type {
  createPromptBody,
  createSchemaBody,
  createTagBody,
  Prompt,
  promptList,
  promptListQuery,
  Schema,
  SchemaColumnsAnswer,
  schemaFromColumnsBody,
  schemaList,
  schemaListQuery,
  Tag,
  tagList,
  tagListQuery,
  updatePromptBody,
  updateSchemaBody,
  updateTagBody,
  ValidationAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

type SchemaList = z.infer<typeof schemaList>;
type PromptList = z.infer<typeof promptList>;
type TagList = z.infer<typeof tagList>;
/** Filter and page of `schemas.list`. */
export type SchemaQuery = Partial<z.infer<typeof schemaListQuery>>;
/** Filter and page of `prompts.list`. */
export type PromptQuery = Partial<z.infer<typeof promptListQuery>>;
/** Filter and page of `tags.list`. */
export type TagQuery = Partial<z.infer<typeof tagListQuery>>;

/** Schemas: `schema_id` identifies a schema, `schema_revid` one of its immutable revisions. */
export function createSchemas(api: OrganizationApi) {
  const list = (query: SchemaQuery = {}, options?: CallOptions): Promise<SchemaList> =>
    api.get(['schemas'], { ...query }, options);
  return {
    /** Lists a page of schemas, each in its newest revision. */
    list,
    /** Yields all schemas that match the query. */
    listAll: listAllOf(list, ({ schemas }) => schemas),
    /** Creates a schema. */
    create: (body: z.input<typeof createSchemaBody>, options?: CallOptions): Promise<Schema> =>
      api.send('POST', ['schemas'], body, options),
    /** One revision of a schema. */
    get: (schemaRevid: string, options?: CallOptions): Promise<Schema> =>
      api.get(['schemas', schemaRevid], {}, options),
    /** Creates a new revision with the given fields. */
    update: (schemaId: string, body: z.input<typeof updateSchemaBody>, options?: CallOptions): Promise<Schema> =>
      api.send('PUT', ['schemas', schemaId], body, options),
    /** Deletes a schema that no current prompt uses. */
    delete: (schemaId: string, options?: CallOptions): Promise<void> => api.delete(['schemas', schemaId], options),
    /** Lists a page of revisions, the newest first. */
    versions: (schemaId: string, query: PageRequest = {}, options?: CallOptions): Promise<SchemaList> =>
      api.get(['schemas', schemaId, 'versions'], { ...query }, options),
    /** Validates data against a revision. */
    validate: (schemaRevid: string, data: unknown, options?: CallOptions): Promise<ValidationAnswer> =>
      api.send('POST', ['schemas', schemaRevid, 'validate'], { data }, options),
    /** Converts columns to a new schema, or with `schema_id` to a new revision of that schema. */
    fromColumns: (body: z.input<typeof schemaFromColumnsBody>, options?: CallOptions): Promise<Schema> =>
      api.send('POST', ['schemas', 'from-columns'], body, options),
    /** Converts a schema to columns; `kept` has the fields that columns cannot express. */
    columns: (schemaRevid: string, options?: CallOptions): Promise<SchemaColumnsAnswer> =>
      api.get(['schemas', schemaRevid, 'columns'], {}, options),
  };
}

/** Prompts: `prompt_id` identifies a prompt, `prompt_revid` one of its immutable revisions. */
export function createPrompts(api: OrganizationApi) {
  const list = (query: PromptQuery = {}, options?: CallOptions): Promise<PromptList> =>
    api.get(['prompts'], { ...query }, options);
  return {
    /** Lists a page of prompts, each in its newest revision. */
    list,
    /** Yields all prompts that match the query. */
    listAll: listAllOf(list, ({ prompts }) => prompts),
    /** Creates a prompt. */
    create: (body: z.input<typeof createPromptBody>, options?: CallOptions): Promise<Prompt> =>
      api.send('POST', ['prompts'], body, options),
    /** One revision of a prompt. */
    get: (promptRevid: string, options?: CallOptions): Promise<Prompt> =>
      api.get(['prompts', promptRevid], {}, options),
    /** Creates a new revision with the given fields. */
    update: (promptId: string, body: z.input<typeof updatePromptBody>, options?: CallOptions): Promise<Prompt> =>
      api.send('PUT', ['prompts', promptId], body, options),
    /** Deletes a prompt. */
    delete: (promptId: string, options?: CallOptions): Promise<void> => api.delete(['prompts', promptId], options),
    /** Lists a page of revisions, the newest first. */
    versions: (promptId: string, query: PageRequest = {}, options?: CallOptions): Promise<PromptList> =>
      api.get(['prompts', promptId, 'versions'], { ...query }, options),
  };
}

/** Tags of documents and prompts. */
export function createTags(api: OrganizationApi) {
  const list = (query: TagQuery = {}, options?: CallOptions): Promise<TagList> =>
    api.get(['tags'], { ...query }, options);
  return {
    /** Lists a page of tags. */
    list,
    /** Yields all tags that match the query. */
    listAll: listAllOf(list, ({ tags }) => tags),
    /** Creates a tag. `color` is written `#rrggbb`. */
    create: (body: z.input<typeof createTagBody>, options?: CallOptions): Promise<Tag> =>
      api.send('POST', ['tags'], body, options),
    /** One tag. */
    get: (tagId: string, options?: CallOptions): Promise<Tag> => api.get(['tags', tagId], {}, options),
    /** Changes the given fields. */
    update: (tagId: string, body: z.input<typeof updateTagBody>, options?: CallOptions): Promise<Tag> =>
      api.send('PUT', ['tags', tagId], body, options),
    /** Deletes a tag that no document or current prompt has. */
    delete: (tagId: string, options?: CallOptions): Promise<void> => api.delete(['tags', tagId], options),
  };
}
