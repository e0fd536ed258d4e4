import type { AskResult } from '@docwright/agent-core';
import { parseStored } from '../extractions/index.ts';
import { createIndexCopies, type IndexUpdates, type ResultIndexRepository } from '../results/index.ts';

interface PromptKey {
  organizationId: string;
  promptId: string;
}

/** A result as the index has it. */
type IndexedResult = Pick<AskResult, 'document_id' | 'result' | 'is_complete'>;

/** About how many values a result has. */
const cellsOfResult = 20;

/** The results of prompts as the page Results shows them, in memory: the newest of each document, a verified one first. */
export function createAskResults(index: ResultIndexRepository, updates: Pick<IndexUpdates, 'catchUp'>) {
  const copies = createIndexCopies<PromptKey, Map<string, IndexedResult>>(index, {
    idOf: ({ organizationId, promptId }) => `${organizationId}/${promptId}`,
    create: () => new Map(),
    async apply(results, { document_id, is_removed, result, is_complete }) {
      const id = document_id.toHexString();
      if (is_removed === true) results.delete(id);
      else results.set(id, { document_id: id, result: await parseStored(result), is_complete });
    },
    cells: ({ size }) => size * cellsOfResult,
    isWasteful: () => false,
  });
  return {
    async get(key: PromptKey): Promise<ReadonlyMap<string, IndexedResult>> {
      await updates.catchUp(key);
      return await copies.get(key);
    },
    /** The prompts of an organization that have results. */
    promptIds: (organizationId: string): Promise<string[]> => index.promptIds(organizationId),
    /** Results that were written and are not in the index yet. */
    lag: (key: PromptKey): Promise<number> => index.countPending(key),
  };
}

export type AskResults = ReturnType<typeof createAskResults>;
