import type { Page } from './page.ts';
import type { ParseLimits } from './parse-limits.ts';

/** A document that has been opened; its pages come one at a time, in order, and are read as they are asked for. */
export interface OpenedDocument {
  pageCount: number;
  pages: Iterable<Page>;
}

/** Opens one kind of document. Rejects with `ParseFailure`; whatever else it throws means that the file is damaged. */
export type DocumentReader = (bytes: Uint8Array, limits: ParseLimits) => Promise<OpenedDocument>;
