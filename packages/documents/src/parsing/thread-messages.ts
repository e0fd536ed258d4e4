import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { ParseErrorCode } from '../reader/parse-failure.ts';
import type { ParseLimits } from '../reader/parse-limits.ts';
import type { PackedPage } from './packed-page.ts';

/** Number of pages that the thread can send ahead of their consumer. It bounds the memory on both sides. */
export const PAGES_AHEAD = 32;

export type ToThread =
  | { type: 'parse'; bytes: Uint8Array; mimeType: DocumentMimeType; limits: ParseLimits }
  /** One page has been consumed. */
  | { type: 'page_taken' };

export type FromThread =
  | { type: 'page'; page: PackedPage; pageCount: number }
  /** `reusable`: the thread can take another job. */
  | { type: 'done'; pageCount: number; reusable: boolean }
  | { type: 'failed'; code: ParseErrorCode; message: string; reason?: string; reusable: boolean };
