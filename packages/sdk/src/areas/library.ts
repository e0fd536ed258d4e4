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
import type { PageRequest } from './page-request.ts';

type SchemaList = z.infer<typeof schemaList>;
type PromptList = z.infer<typeof promptList>;
type TagList = z.infer<typeof tagList>;
export type SchemaQuery = Partial<z.infer<typeof schemaListQuery>>;
export type PromptQuery = Partial<z.infer<typeof promptListQuery>>;
export type TagQuery = Partial<z.infer<typeof tagListQuery>>;

/** Schemas: `schema_id` identifies a schema, `schema_revid` one of its immutable revisions. */
export function createSchemas(api: OrganizationApi) {
  const list = (query: SchemaQuery = {}, options?: CallOptions): Promise<SchemaList> =>
    api.get(['schemas'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ schemas }) => schemas),
    create: (body: z.input<typeof createSchemaBody>, options?: CallOptions): Promise<Schema> =>
      api.send('POST', ['schemas'], body, options),
    get: (schemaRevid: string, options?: CallOptions): Promise<Schema> =>
      api.get(['schemas', schemaRevid], {}, options),
    update: (schemaId: string, body: z.input<typeof updateSchemaBody>, options?: CallOptions): Promise<Schema> =>
      api.send('PUT', ['schemas', schemaId], body, options),
    delete: (schemaId: string, options?: CallOptions): Promise<void> => api.delete(['schemas', schemaId], options),
    versions: (schemaId: string, query: PageRequest = {}, options?: CallOptions): Promise<SchemaList> =>
      api.get(['schemas', schemaId, 'versions'], { ...query }, options),
    validate: (schemaRevid: string, data: unknown, options?: CallOptions): Promise<ValidationAnswer> =>
      api.send('POST', ['schemas', schemaRevid, 'validate'], { data }, options),
    /** Converts columns to a schema: a new one, or with `schema_id` a new revision of it. */
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
    list,
    listAll: listAllOf(list, ({ prompts }) => prompts),
    create: (body: z.input<typeof createPromptBody>, options?: CallOptions): Promise<Prompt> =>
      api.send('POST', ['prompts'], body, options),
    get: (promptRevid: string, options?: CallOptions): Promise<Prompt> =>
      api.get(['prompts', promptRevid], {}, options),
    update: (promptId: string, body: z.input<typeof updatePromptBody>, options?: CallOptions): Promise<Prompt> =>
      api.send('PUT', ['prompts', promptId], body, options),
    delete: (promptId: string, options?: CallOptions): Promise<void> => api.delete(['prompts', promptId], options),
    versions: (promptId: string, query: PageRequest = {}, options?: CallOptions): Promise<PromptList> =>
      api.get(['prompts', promptId, 'versions'], { ...query }, options),
  };
}

export function createTags(api: OrganizationApi) {
  const list = (query: TagQuery = {}, options?: CallOptions): Promise<TagList> =>
    api.get(['tags'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ tags }) => tags),
    create: (body: z.input<typeof createTagBody>, options?: CallOptions): Promise<Tag> =>
      api.send('POST', ['tags'], body, options),
    get: (tagId: string, options?: CallOptions): Promise<Tag> => api.get(['tags', tagId], {}, options),
    update: (tagId: string, body: z.input<typeof updateTagBody>, options?: CallOptions): Promise<Tag> =>
      api.send('PUT', ['tags', tagId], body, options),
    delete: (tagId: string, options?: CallOptions): Promise<void> => api.delete(['tags', tagId], options),
  };
}
