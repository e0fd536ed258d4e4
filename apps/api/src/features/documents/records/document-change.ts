import { isSameJson } from '../../../platform/long-values/same-json.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import {
  DomainError,
  maxDocumentTags,
  maxMetadataBytes,
  metadata as metadataSchema,
  type Document,
  type PatchDocumentBody,
} from '@docwright/contract';

/** A change of a document; `decides_route` if it is part of a user's decision on its routing, which is undone with it. */
export type DocumentUpdate = PatchDocumentBody & { decides_route?: true };

/** The new values of a document: omitted fields stay. */
export type DocumentChange = Pick<PatchDocumentBody, 'document_name' | 'tag_ids' | 'metadata' | 'never_to_model'>;

/** A document that was split off another one, with its text. */
export interface SplitOff extends Pick<
  Document,
  | 'id'
  | 'document_name'
  | 'size_bytes'
  | 'state'
  | 'unread'
  | 'machine_data'
  | 'signatures'
  | 'tag_ids'
  | 'metadata'
  | 'uploaded_by'
  | 'never_to_model'
> {
  page_count: number;
  file_id: string;
  split_from: NonNullable<Document['split_from']>;
  /** Whether it is routed like a document that arrives. */
  routing_due?: boolean;
}

/** Whether the change depends on what the document has. */
export function isMerge({ add_tag_ids, remove_tag_ids, set_metadata, remove_metadata }: PatchDocumentBody): boolean {
  return (add_tag_ids ?? remove_tag_ids ?? set_metadata ?? remove_metadata) !== undefined;
}

/** Applies what is added and removed to what the document has. Throws `document_too_full` if that is too much. */
export function mergedChange(
  present: Pick<Document, 'tag_ids' | 'metadata'>,
  { document_name, never_to_model, ...body }: PatchDocumentBody,
): DocumentChange {
  const tag_ids = mergedTags(body.tag_ids ?? present.tag_ids, body) ?? body.tag_ids;
  const metadata = mergedMetadata(body.metadata ?? present.metadata, body) ?? body.metadata;
  return {
    ...(document_name !== undefined && { document_name }),
    ...(never_to_model !== undefined && { never_to_model }),
    ...(tag_ids !== undefined && { tag_ids }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Whether the document has all of these values already. A mark is written again: it concerns other records too. */
export function changesNothing(
  present: Pick<Document, 'document_name' | 'tag_ids' | 'metadata'>,
  { document_name, tag_ids, metadata, never_to_model }: DocumentChange,
): boolean {
  return (
    never_to_model === undefined &&
    (document_name === undefined || document_name === present.document_name) &&
    (tag_ids === undefined ||
      isSameJson(
        tag_ids.map((id) => id.toLowerCase()),
        present.tag_ids,
      )) &&
    (metadata === undefined || isSameJson(metadata, present.metadata))
  );
}

function mergedTags(present: readonly string[], { add_tag_ids, remove_tag_ids }: PatchDocumentBody) {
  if (add_tag_ids === undefined && remove_tag_ids === undefined) return undefined;
  const removed = new Set(remove_tag_ids?.map((id) => id.toLowerCase()));
  const added = (add_tag_ids ?? []).map((id) => id.toLowerCase());
  const merged = [...new Set([...present, ...added])].filter((id) => !removed.has(id));
  if (merged.length > maxDocumentTags) throw tooFull(`A document can have ${maxDocumentTags} tags.`);
  return merged;
}

function mergedMetadata(present: Document['metadata'], { set_metadata, remove_metadata }: PatchDocumentBody) {
  if (set_metadata === undefined && remove_metadata === undefined) return undefined;
  const removed = new Set(remove_metadata);
  const merged = Object.fromEntries(
    Object.entries({ ...present, ...set_metadata }).filter(([key]) => !removed.has(key)),
  );
  if (!metadataSchema.safeParse(merged).success)
    throw tooFull(`The metadata of a document can have ${maxMetadataBytes / 1024} kB as JSON.`);
  return merged;
}

function tooFull(limit: string): DomainError {
  return new DomainError('conflict', 'document_too_full', `${limit} Remove some in the same request.`);
}

/**
 * Marks a document that this write gives a tag, so that the tag starts its prompts. What is written on arrival, in runs and by
 * schedules starts nothing more.
 */
export function arrivalDue(
  origin: WriteOrigin | undefined,
  before: readonly string[],
  after: readonly string[] = [],
): { arrival_due?: true } {
  const kind = origin?.source?.kind;
  const isByUser = kind === undefined || kind === 'chat' || kind === 'api' || kind === 'mcp';
  return isByUser && after.some((id) => !before.includes(id.toLowerCase())) ? { arrival_due: true } : {};
}
