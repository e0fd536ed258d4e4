import type { RunDocumentState, RunState } from '@docwright/contract';

interface RunListSearch {
  state?: RunState;
  /** From 1. */
  page?: number;
}

/** Query string of a run's page: the state that its documents are filtered by. */
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

/** Reads a query string that a user may have typed; invalid values are dropped. */
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
