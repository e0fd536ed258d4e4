import { z } from 'zod';
import { jsonObject, objectId, pageInfo, pageQuery, recordId, timestamp } from '../base/fields.ts';
import { smallJsonObject } from '../base/stored-json.ts';
import { groundingBox } from '../extractions/grounding.ts';

/** Maximum number of documents of a source; beyond it, narrow the source. */
export const maxDocumentsInSource = 10_000;

export const pluginKind = z.enum(['parser', 'extractor', 'chunker', 'embedder', 'index']);
export type PluginKind = z.infer<typeof pluginKind>;

/** One available part of a pipeline. `config_schema` is the JSON Schema of its config. */
export const pluginInfo = z.object({
  id: z.string(),
  kind: pluginKind,
  name: z.string(),
  description: z.string(),
  config_schema: jsonObject,
});
export type PluginInfo = z.infer<typeof pluginInfo>;

const pluginId = z.string().min(1).max(60);
const pluginConfig = smallJsonObject(16 * 1024);
const step = z.strictObject({ plugin_id: pluginId, config: pluginConfig.default({}) });

/** The steps for each document: parse → (extract) → chunk → embed → index. The plugin defines its config. */
export const pipeline = z.strictObject({
  /** The first parser that names a document's extension reads it. */
  parsers: z
    .array(
      z.strictObject({
        /** Without a dot, such as `pdf`; `*` for all other extensions. */
        extensions: z
          .array(
            z
              .string()
              .toLowerCase()
              .regex(/^([a-z0-9]{1,10}|\*)$/, 'An extension is written without a dot, such as pdf, or * for all.'),
          )
          .min(1)
          .max(30),
        plugin_id: pluginId,
        config: pluginConfig.default({}),
        /** Reads documents that the first parser could not, with its default config. */
        fallback_plugin_id: pluginId.optional(),
      }),
    )
    .min(1)
    .max(20),
  extract: z.strictObject({ prompt_revid: objectId }).optional(),
  chunker: step,
  /** Null: word search only. */
  embedder: step.nullable().default(null),
});
export type Pipeline = z.infer<typeof pipeline>;

export const collectionStatus = z.enum(['indexing', 'ready', 'failed', 'stopped']);
export type CollectionStatus = z.infer<typeof collectionStatus>;

/** Documents that failed for the same reason. */
export const failureCategory = z.object({
  category: z.string(),
  count: z.number().int(),
  /** Three at most. */
  examples: z.array(z.object({ document_id: recordId, message: z.string() })),
});
export type FailureCategory = z.infer<typeof failureCategory>;

/** Documents that an update of a collection would process. All counts are 0 when it is up to date. */
export const collectionChanges = z.object({
  /** Added to the source since. */
  added: z.number().int(),
  /** Removed from the source since; searches still find them. */
  removed: z.number().int(),
  /** Their extraction changed since, or their vectors are of another model than the configured one. */
  changed: z.number().int(),
  /** Failed; an update retries them. */
  failed: z.number().int(),
});
export type CollectionChanges = z.infer<typeof collectionChanges>;

/** An applied pipeline's result. It can be searched while it is being indexed. */
export const collection = z.object({
  id: recordId,
  name: z.string(),
  source_id: recordId,
  status: collectionStatus,
  pipeline,
  /** How it is searched. Vectors require embeddings and a database with vector search. */
  search: z.object({ lexical: z.boolean(), vectors: z.boolean() }),
  progress: z.object({
    documents: z.number().int(),
    waiting: z.number().int(),
    indexed: z.number().int(),
    failed: z.number().int(),
    pages: z.number().int(),
    chunks: z.number().int(),
  }),
  failures: z.array(failureCategory),
  /** Returned for a single collection that is not being indexed. */
  changes: collectionChanges.optional(),
  created_at: timestamp,
  created_by: z.string(),
  /** Absent during indexing. */
  ended_at: timestamp.optional(),
});
export type Collection = z.infer<typeof collection>;
export const collectionList = pageInfo.extend({ collections: z.array(collection) });
export const pipelineListQuery = pageQuery;

export const searchBody = z.strictObject({
  query: z.string().trim().min(1, 'Say what to look for.').max(1000),
  top_k: z.number().int().min(1).max(100).default(10),
});
export type SearchBody = z.infer<typeof searchBody>;

/** A passage of a document. `start` and `end` are positions in the page's text, in UTF-16 units. */
export const searchHit = z.object({
  document_id: recordId,
  document_name: z.string(),
  /** Null for extracted values, which belong to the whole document. */
  page_num: z.number().int().nullable(),
  start: z.number().int(),
  end: z.number().int(),
  /** The preceding heading. */
  heading: z.string().optional(),
  text: z.string(),
  /** Its place on the page, a box for each line. Empty for text files and extracted fields, which have no place. */
  boxes: z.array(groundingBox),
  /** The matched words of `text`, in any form: UTF-16 units of `text`, in order, without overlaps. */
  matches: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
  /** Comparable within one answer only. */
  score: z.number(),
  /** Its rank, from 1, in the word search and in the vector search; absent when that search did not find it. */
  lexical_rank: z.number().int().optional(),
  vector_rank: z.number().int().optional(),
});
export type SearchHit = z.infer<typeof searchHit>;

/** `mode` is `lexical` if there are no vectors, if they are of another model than the configured one, or if the embedding service did not answer in time. */
export const searchAnswer = z.object({ mode: z.enum(['lexical', 'hybrid']), results: z.array(searchHit) });
export type SearchAnswer = z.infer<typeof searchAnswer>;
