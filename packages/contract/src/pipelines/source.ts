import { z } from 'zod';
import { objectId, pageInfo, recordId, seenFields, shownName, timestamp } from '../base/fields.ts';
import { maxDocumentsInSource } from './pipeline.ts';
import { sourceConnector } from './source-connector.ts';

const name = shownName(200, 'It needs a name.');

/** From one minute to 31 days. */
const every = z
  .string()
  .regex(/^(?:[1-9]\d{0,3}m|[1-9]\d{0,2}h|[1-9]\d?d)$/, 'An interval is written as 15m, 1h or 1d.');

/** `failing` after three failures in a row; it is tried on at growing pauses. */
export const sourceState = z.enum(['waiting', 'running', 'failing']);

/** The last sync of a source: what it saw, and what it could not take. */
export const sourceSync = z.object({
  state: sourceState,
  /** Null before the first sync. */
  ended_at: timestamp.nullable(),
  next_at: timestamp.nullable(),
  counts: z.object({
    seen: z.number().int(),
    taken: z.number().int(),
    unchanged: z.number().int(),
    /** Files that are gone since the sync before. */
    missing: z.number().int(),
    failed: z.number().int(),
  }),
  /** The first twenty files that could not be taken. */
  errors: z.array(z.object({ file: z.string(), code: z.string(), message: z.string() })),
  /** Why the whole sync failed. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type SourceSync = z.infer<typeof sourceSync>;
export const sourceSyncEvent = z.object({ type: z.literal('sync'), sync: sourceSync });
export type SourceSyncEvent = z.infer<typeof sourceSyncEvent>;

/** A set of documents. All given conditions must match; without any, it contains all documents of the organization. */
export const createSourceBody = z.strictObject({
  name,
  document_ids: z.array(objectId).min(1).max(maxDocumentsInSource).optional(),
  /** Documents with all of these tags. */
  tag_ids: z.array(objectId).min(1).max(50).optional(),
  /** Part of the document's name. */
  name_search: z.string().trim().min(1).max(200).optional(),
  /** The source fills itself: its files become documents, which get `tag_ids`. For admins. */
  connector: sourceConnector.optional(),
  /** How often the files are looked at. */
  every: every.default('15m').optional(),
  auto_create: z.boolean().optional(),
  /** With a connector: what it brings is kept from all models. */
  never_to_model: z.boolean().optional(),
  /** Default: true. The files of a source that is not enabled are not looked at. */
  enabled: z.boolean().optional(),
});
export type CreateSourceBody = z.infer<typeof createSourceBody>;

/** A secret that is left out, or sent back masked, stays; it must be sent again for another host or user. */
export const updateSourceBody = z.strictObject({
  seen: seenFields,
  name: name.optional(),
  connector: sourceConnector.optional(),
  every: every.optional(),
  /** The tags of documents that come from now on. */
  tag_ids: z.array(objectId).max(50).optional(),
  auto_create: z.boolean().nullable().optional(),
  /** Holds for what it has brought and for what comes. */
  never_to_model: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
export type UpdateSourceBody = z.infer<typeof updateSourceBody>;

/** Tries a connector without a source, or with the stored secret of one. */
export const testConnectorBody = z.strictObject({ connector: sourceConnector, source_id: objectId.optional() });
export type TestConnectorBody = z.infer<typeof testConnectorBody>;
export const connectorTest = z.object({
  /** The first files that a sync would see. */
  files: z.array(z.object({ name: z.string(), size_bytes: z.number().int() })),
  /** Whether there are more. */
  has_more: z.boolean(),
});
export type ConnectorTest = z.infer<typeof connectorTest>;

export const source = z.object({
  id: recordId,
  name: z.string(),
  document_ids: z.array(z.string()).optional(),
  tag_ids: z.array(z.string()).optional(),
  name_search: z.string().optional(),
  connector: sourceConnector.optional(),
  every: z.string().optional(),
  auto_create: z.boolean().optional(),
  /** These four only with a connector. */
  never_to_model: z.boolean().optional(),
  enabled: z.boolean().optional(),
  state: sourceState.optional(),
  last_sync: timestamp.nullable().optional(),
  /** Current number of documents. */
  document_count: z.number().int(),
  created_at: timestamp,
  created_by: z.string(),
});
export type Source = z.infer<typeof source>;
export const sourceList = pageInfo.extend({ sources: z.array(source) });
