import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { ParseLimits } from './parse-limits.ts';

/** An opened document. Each page is read when the iterator reaches it, so that one page is in memory at a time. */
export interface OpenedDocument {
  pageCount: number;
  pages: Iterable<Page>;
  /** What could not be read and is on no page, such as attachments. */
  unread?: UnreadPart[];
}

/** Opens one kind of document. Rejects with `ParseFailure`; any other error means that the file is damaged. */
export type DocumentReader = (bytes: Uint8Array, limits: ParseLimits) => Promise<OpenedDocument>;
