import type { Document, Prompt, Schema, Tag } from '@docwright/contract';

/** A document as the agent reads it: no sizes, no uploader. */
export function documentReference(document: Document) {
  const { id, document_name, state, page_count, tag_ids, metadata, upload_date, incomplete_results } = document;
  const known = { id, document_name, state, page_count, tag_ids, metadata, upload_date };
  return { ...known, ...(incomplete_results && { incomplete_results }) };
}

/** What the next call needs to know of a prompt. */
export function promptReference({ prompt_id, prompt_revid, prompt_version, name }: Prompt) {
  return { prompt_id, prompt_revid, prompt_version, name };
}

/** What the next call needs to know of a schema. */
export function schemaReference({ schema_id, schema_revid, schema_version, name }: Schema) {
  return { schema_id, schema_revid, schema_version, name };
}

/** A tag as the agent reads it. */
export function tagReference({ tag_id, name, color, description }: Tag) {
  return { tag_id, name, color, description };
}

/** Which part of a list an answer is, where it is a part: nothing is said twice. */
export function pageReference({ skip, limit }: { skip: number; limit: number }, total_count: number) {
  return skip === 0 && total_count <= limit ? { total_count } : { total_count, skip, limit };
}
