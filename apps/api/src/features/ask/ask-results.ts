import type { AskResult } from '@docwright/agent-core';
import { DomainError, losesDigits, withDigits } from '@docwright/contract';
import { parseStored } from '../extractions/index.ts';
import {
  createIndexCopies,
  type IndexUpdates,
  type ResultIndexRecord,
  type ResultIndexRepository,
} from '../results/index.ts';

interface PromptKey {
  organizationId: string;
  promptId: string;
}

/** A result as the index has it, and the characters of its JSON. */
export interface IndexedResult extends Pick<AskResult, 'document_id' | 'result' | 'is_complete'> {
  characters: number;
}

/** How much of a copy has changed. It does not keep the results of the copy in memory. */
export interface CopyChanges {
  /** Characters of the results that were replaced or removed since the copy was made. */
  readonly replaced: number;
}

/** The results of a prompt, by document. They change while the process refreshes them. */
export interface PromptCopy {
  results: ReadonlyMap<string, IndexedResult>;
  changes: CopyChanges;
}

/** The results of a prompt, and the characters of their JSON. */
interface Copy extends PromptCopy {
  results: Map<string, IndexedResult>;
  changes: { replaced: number };
  characters: number;
}

/** Of a result whose JSON is longer, a question sees the first rows of each list and the beginning of each text. */
const longResult = 20_000;
const [maxRows, maxText] = [100, 2_000];
/** The JSON of the results of one prompt, or of what a question keeps of all prompts; in memory they take about four times as much. */
const maxCharactersOfPrompt = 100_000_000;
/** A prompt that was too large is not read again before so much time has passed: its results can be fewer then. */
const rememberedMs = 15 * 60_000;
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
    'The results of this prompt are too large to ask about together. Narrow the scope to at most 2,000 documents, or ask about another prompt.';
  return new DomainError('invalid', 'scope_too_large', message);
}

export function tooLargeTogether(): DomainError {
  const message =
    'The results that this question would read are too large together. Narrow the scope to fewer documents, or to one prompt.';
  return new DomainError('invalid', 'scope_too_large', message);
}

// A compressed text is short, and its result is long.
const isLong = (stored: string): boolean => stored.length > longResult || !stored.startsWith('{');

async function indexedOf({ document_id, result, exact, is_complete }: ResultIndexRecord): Promise<IndexedResult> {
  const parsed = await parseStored(result);
  const cut = isLong(result) ? shortened(parsed) : parsed;
  const digits: Record<string, string> = exact === '{}' ? {} : await parseStored(exact);
  const rounded = new Map(Object.entries(digits).filter(([, own]) => losesDigits(own)));
  // An answer is checked against the digits of the result: the rounded number is another one.
  const kept = rounded.size === 0 ? cut : (withDigits(cut, (path) => rounded.get(path)) as typeof cut);
  const characters = isLong(result) ? JSON.stringify(kept).length : result.length;
  return { document_id: document_id.toHexString(), result: kept, is_complete, characters };
}

/** The results of prompts as the page Results shows them, in memory: the newest of each document, a verified one first. */
export function createAskResults(
  index: ResultIndexRepository,
  updates: Pick<IndexUpdates, 'catchUp'>,
  maxCharacters = maxCharactersOfPrompt,
) {
  /** Until when a prompt counts as too large. */
  const largeUntil = new Map<string, number>();
  const idOf = ({ organizationId, promptId }: PromptKey) => `${organizationId}/${promptId}`;
  const refuseLarge = (key: PromptKey) => {
    if ((largeUntil.get(idOf(key)) ?? 0) > Date.now()) throw tooLarge();
  };
  const rememberLarge = (key: PromptKey) => {
    const now = Date.now();
    for (const [id, until] of largeUntil) if (until <= now) largeUntil.delete(id);
    largeUntil.set(idOf(key), now + rememberedMs);
  };
  const copies = createIndexCopies<PromptKey, Copy>(index, {
    idOf,
    create: () => ({ results: new Map(), changes: { replaced: 0 }, characters: 0 }),
    async apply(copy, entry, key) {
      // Of questions that wait for the same prompt, the first one finds that it is too large.
      refuseLarge(key);
      const id = entry.document_id.toHexString();
      const former = copy.results.get(id)?.characters ?? 0;
      copy.characters -= former;
      copy.changes.replaced += former;
      copy.results.delete(id);
      if (entry.is_removed === true) return;
      const indexed = await indexedOf(entry);
      copy.characters += indexed.characters;
      if (copy.characters > maxCharacters) {
        rememberLarge(key);
        throw tooLarge();
      }
      copy.results.set(id, indexed);
    },
    cells: ({ characters }) => characters / charactersPerCell,
    isWasteful: () => false,
  });
  async function* presentOf(key: PromptKey, documentIds: readonly string[]): AsyncIterable<ResultIndexRecord> {
    for await (const batch of index.entriesOf(key, documentIds)) {
      for (const entry of batch) if (entry.is_removed !== true) yield entry;
    }
  }
  return {
    /** Those of a prompt. @throws DomainError `scope_too_large` */
    async get(key: PromptKey): Promise<PromptCopy> {
      refuseLarge(key);
      await updates.catchUp(key);
      return await copies.get(key);
    },
    /** Whether the process still keeps the copy that a scope has read, for the next question. */
    isKept: (key: PromptKey, changes: CopyChanges): boolean => copies.kept(key)?.changes === changes,
    /**
     * Those of a few documents, which are read without the others.
     *
     * @param kept the characters that the turn keeps: those of the results are added
     * @throws DomainError `scope_too_large` if the turn would keep too many
     */
    async of(key: PromptKey, documentIds: readonly string[], kept = { characters: 0 }): Promise<IndexedResult[]> {
      await updates.catchUp(key);
      const found: IndexedResult[] = [];
      let own = 0;
      try {
        for await (const entry of presentOf(key, documentIds)) {
          const indexed = await indexedOf(entry);
          own += indexed.characters;
          kept.characters += indexed.characters;
          if (kept.characters > maxCharacters) throw tooLargeTogether();
          found.push(indexed);
        }
      } catch (error) {
        kept.characters -= own;
        throw error;
      }
      return found;
    },
    /**
     * How many results a few documents have, and their characters; keeps none of them.
     *
     * @throws DomainError `scope_too_large`
     */
    async measure(key: PromptKey, documentIds: readonly string[]): Promise<{ count: number; characters: number }> {
      await updates.catchUp(key);
      let [count, characters] = [0, 0];
      for await (const entry of presentOf(key, documentIds)) {
        count += 1;
        characters += isLong(entry.result) ? (await indexedOf(entry)).characters : entry.result.length;
        if (characters > maxCharacters) throw tooLargeTogether();
      }
      return { count, characters };
    },
    maxCharacters,
    /** The prompts of an organization that have results. */
    promptIds: (organizationId: string): Promise<string[]> => index.promptIds(organizationId),
    /** Results that were written and are not in the index yet. */
    lag: (key: PromptKey): Promise<number> => index.countPending(key),
  };
}

export type AskResults = ReturnType<typeof createAskResults>;
