import type { AskResult } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import { parseStored } from '../extractions/index.ts';
import { createIndexCopies, type IndexUpdates, type ResultIndexRepository } from '../results/index.ts';

interface PromptKey {
  organizationId: string;
  promptId: string;
}

/** A result as the index has it. */
type IndexedResult = Pick<AskResult, 'document_id' | 'result' | 'is_complete'>;

/** The results of a prompt, and the characters of their JSON. */
interface Copy {
  results: Map<string, IndexedResult & { characters: number }>;
  characters: number;
}

/** Of a result whose JSON is longer, a question sees the first rows of each list and the beginning of each text. */
const longResult = 20_000;
const [maxRows, maxText] = [100, 2_000];
/** The JSON of the results of one prompt; in memory they take about four times as much. */
const maxCharacters = 100_000_000;
const charactersPerCell = 25;

function shortened<Value>(value: Value): Value;
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, maxRows).map((each) => shortened(each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}

function tooLarge(): DomainError {
  const message =
    'The results of a prompt are too large to ask about together. Ask about another prompt, which the scope can name.';
  return new DomainError('invalid', 'scope_too_large', message);
}

/** The results of prompts as the page Results shows them, in memory: the newest of each document, a verified one first. */
export function createAskResults(index: ResultIndexRepository, updates: Pick<IndexUpdates, 'catchUp'>) {
  const copies = createIndexCopies<PromptKey, Copy>(index, {
    idOf: ({ organizationId, promptId }) => `${organizationId}/${promptId}`,
    create: () => ({ results: new Map(), characters: 0 }),
    async apply(copy, { document_id, is_removed, result, is_complete }) {
      const id = document_id.toHexString();
      copy.characters -= copy.results.get(id)?.characters ?? 0;
      copy.results.delete(id);
      if (is_removed === true) return;
      const parsed = await parseStored(result);
      // A compressed text is short, and its result is long.
      const isLong = result.length > longResult || !result.startsWith('{');
      const kept = isLong ? shortened(parsed) : parsed;
      const characters = isLong ? JSON.stringify(kept).length : result.length;
      copy.characters += characters;
      if (copy.characters > maxCharacters) throw tooLarge();
      copy.results.set(id, { document_id: id, result: kept, is_complete, characters });
    },
    cells: ({ characters }) => characters / charactersPerCell,
    isWasteful: () => false,
  });
  return {
    async get(key: PromptKey): Promise<ReadonlyMap<string, IndexedResult>> {
      await updates.catchUp(key);
      return (await copies.get(key)).results;
    },
    /** The prompts of an organization that have results. */
    promptIds: (organizationId: string): Promise<string[]> => index.promptIds(organizationId),
    /** Results that were written and are not in the index yet. */
    lag: (key: PromptKey): Promise<number> => index.countPending(key),
  };
}

export type AskResults = ReturnType<typeof createAskResults>;
