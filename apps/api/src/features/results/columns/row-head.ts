import type { Cell } from '@docwright/contract';

/** What every row of a document repeats, besides its cells. */
export interface RowHead {
  document_id: string;
  document_name: string;
  prompt_revid: string;
  version: number;
  release: 'open' | 'released' | 'withdrawn';
  is_verified: boolean;
  is_complete: boolean;
  changed_at: number;
}

/** Without a prototype: a field of a result can have any name. */
export const headColumns: Record<string, ((head: RowHead) => Cell) | undefined> = Object.assign(Object.create(null), {
  document_name: (head: RowHead) => head.document_name,
  document_id: (head: RowHead) => head.document_id,
  version: (head: RowHead) => head.version,
  release: (head: RowHead) => head.release,
  is_verified: (head: RowHead) => head.is_verified,
  is_complete: (head: RowHead) => head.is_complete,
  changed_at: (head: RowHead) => new Date(head.changed_at).toISOString(),
});

/** The columns of every row, besides those of its result. A field of the result with the same name comes first. */
export const headPaths = Object.keys(headColumns);
