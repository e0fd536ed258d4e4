import { z } from 'zod';
import { pageInfo, pageQuery, timestamp } from '../base/fields.ts';
import { document, documentListQuery } from './documents.ts';

/** How long a deleted document stays in the trash, and how long a bulk job can be undone. */
export const trashDays = 30;

/** A document in the trash. It is hidden everywhere else until it is restored. */
export const trashedDocument = document.extend({
  deleted_at: timestamp,
  /** The user who deleted it, directly or through an agent. null if it was not recorded. */
  deleted_by: z.string().nullable(),
  /** When it is permanently deleted. */
  purge_at: timestamp,
});
export type TrashedDocument = z.infer<typeof trashedDocument>;

export const trashList = pageInfo.extend({
  documents: z.array(trashedDocument),
  /** Present if the bucket of the files keeps former versions: what is removed for good stays there until a rule of the operator removes it. */
  keeps_removed_files: z.literal(true).optional(),
});
export const trashListQuery = pageQuery.extend({
  name_search: documentListQuery.shape.name_search,
  tag_ids: documentListQuery.shape.tag_ids,
  state: documentListQuery.shape.state,
  /** Default: the last deleted first. */
  sort: z.enum(['deleted_at', 'document_name', 'size_bytes', 'upload_date']).optional(),
  /** Default: `desc` for dates, `asc` for other fields. */
  order: documentListQuery.shape.order,
});
export type TrashListQuery = z.infer<typeof trashListQuery>;
