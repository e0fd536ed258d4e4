import type { RunDocumentState, RunState } from '@docwright/contract';

interface RunListSearch {
  state?: RunState;
  /** From 1. */
  page?: number;
}

/** What the address of a run holds: which of its documents are shown. */
export interface RunSearch {
  documents?: RunDocumentState;
  page?: number;
}

const runStates = new Set<unknown>([
  'queued',
  'running',
  'completed',
  'failed',
  'stopped',
  'skipped',
] satisfies RunState[]);
const documentStates = new Set<unknown>([
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] satisfies RunDocumentState[]);

function readPage(value: unknown): { page?: number } {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readRunListSearch(search: Record<string, unknown>): RunListSearch {
  return {
    ...(runStates.has(search['state']) ? { state: search['state'] as RunState } : {}),
    ...readPage(search['page']),
  };
}

export function readRunSearch(search: Record<string, unknown>): RunSearch {
  const state = search['documents'];
  return {
    ...(documentStates.has(state) ? { documents: state as RunDocumentState } : {}),
    ...readPage(search['page']),
  };
}
