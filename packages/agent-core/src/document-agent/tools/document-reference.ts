import type { Document } from '@docwright/contract';

/** A document as the agent reads it: no sizes, no uploader. */
export function documentReference({ id, document_name, state, page_count, tag_ids, metadata, upload_date }: Document) {
  return { id, document_name, state, page_count, tag_ids, metadata, upload_date };
}
