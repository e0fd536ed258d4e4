import { z } from 'zod';
import { pageInfo, pageQuery, timestamp } from './base/common.ts';
import { document, documentListQuery } from './documents.ts';

/** A document in the trash: nothing else shows it, until it is restored. */
export const trashedDocument = document.extend({
  deleted_at: timestamp,
  /** The user who deleted it, or whose agent did; null where that was not recorded. */
  deleted_by: z.string().nullable(),
  /** When it is removed for good. */
  purge_at: timestamp,
});
export type TrashedDocument = z.infer<typeof trashedDocument>;

export const trashList = pageInfo.extend({ documents: z.array(trashedDocument) });
export const trashListQuery = pageQuery.extend({
  name_search: documentListQuery.shape.name_search,
  tag_ids: documentListQuery.shape.tag_ids,
  state: documentListQuery.shape.state,
  /** Without it the last deleted come first. */
  sort: z.enum(['deleted_at', 'document_name', 'size_bytes', 'upload_date']).optional(),
  /** Without it `desc` for dates, `asc` for what else is sorted by. */
  order: documentListQuery.shape.order,
});
export type TrashListQuery = z.infer<typeof trashListQuery>;
