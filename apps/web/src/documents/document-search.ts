import type { DocumentState } from '@docwright/contract';

/** What the list's address holds. */
export interface DocumentListSearch {
  q?: string;
  state?: DocumentState;
  tag?: string;
  /** From 1. */
  page?: number;
}

export const pageSize = 20;

const states = new Set<unknown>([
  'uploaded',
  'ocr_processing',
  'ocr_completed',
  'ocr_failed',
  'llm_processing',
  'llm_completed',
  'llm_failed',
] satisfies DocumentState[]);

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readDocumentListSearch(search: Record<string, unknown>): DocumentListSearch {
  const page = Number(search['page']);
  return {
    ...(typeof search['q'] === 'string' || typeof search['q'] === 'number' ? { q: String(search['q']) } : {}),
    ...(states.has(search['state']) ? { state: search['state'] as DocumentState } : {}),
    ...(typeof search['tag'] === 'string' ? { tag: search['tag'] } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
