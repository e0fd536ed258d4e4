import { noCounts } from '../features/headless/document-run-repository.ts';
import type {
  DocumentRun,
  HeadlessInput,
  HeadlessListener,
  HeadlessQueue,
  HeadlessState,
  RunCounts,
} from '../features/headless/headless-queue.ts';

/** A queue whose entries the test changes itself. */
export interface InMemoryHeadlessQueue extends HeadlessQueue {
  entries: DocumentRun[];
  /** The queued inputs, by entry. */
  inputs: HeadlessInput[];
  /** Documents that it refuses, with the reason. */
  refuse: Map<string, { code: string; message: string }>;
  /** Called before each input is queued; can throw like a database. */
  beforeEach: (input: HeadlessInput) => void;
  set(documentId: string, state: HeadlessState, rest?: Partial<DocumentRun>): void;
}

export function createInMemoryHeadlessQueue(): InMemoryHeadlessQueue {
  const listeners = new Set<HeadlessListener>();
  const ofRun = (runId: string) => queue.entries.filter((entry) => entry.runId === runId);
  const queue: InMemoryHeadlessQueue = {
    entries: [],
    inputs: [],
    refuse: new Map(),
    beforeEach: () => undefined,
    set(documentId, state, rest = {}) {
      for (const entry of queue.entries.filter((candidate) => candidate.documentId === documentId)) {
        Object.assign(entry, { state, ...rest });
        for (const listener of listeners) listener(entry);
      }
    },
    async queue(inputs) {
      return inputs.map((input) => {
        queue.beforeEach(input);
        const refused = queue.refuse.get(input.documentId);
        if (refused) return { refused };
        const id = input.id ?? String(queue.entries.length);
        if (!queue.entries.some((entry) => entry.id === id)) {
          queue.entries.push(newEntry(id, input));
          queue.inputs.push(input);
        }
        return { id };
      });
    },
    async cancel(_organizationId, runId) {
      const open = ofRun(runId).filter(({ state }) => state === 'queued' || state === 'running');
      for (const entry of open.filter(({ state }) => state === 'queued')) entry.state = 'cancelled';
      return open.length;
    },
    async get(_organizationId, id) {
      return queue.entries.find((entry) => entry.id === id);
    },
    async listOfRun(_organizationId, runId, { skip, limit, states }) {
      const all = ofRun(runId).filter(({ state }) => states === undefined || states.includes(state));
      return { documentRuns: all.slice(skip, skip + limit), total_count: all.length };
    },
    async countsOfRun(_organizationId, runId) {
      const counts: RunCounts = { ...noCounts };
      for (const { state, spuUsed } of ofRun(runId)) {
        counts[state] += 1;
        counts.spuUsed += spuUsed;
      }
      return counts;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return queue;
}

function newEntry(id: string, input: HeadlessInput): DocumentRun {
  return {
    id,
    organizationId: input.organizationId,
    documentId: input.documentId,
    runId: input.runId ?? null,
    kind: input.kind,
    state: 'queued',
    requestedBy: input.requestedBy,
    attempts: 0,
    threadId: null,
    queuedAt: new Date(),
    startedAt: null,
    endedAt: null,
    error: null,
    spuUsed: 0,
  };
}
