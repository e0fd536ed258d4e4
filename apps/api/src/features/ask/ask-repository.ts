import type { AskPlaces, AskResult, AskScopeSize } from '@docwright/agent-core';
import { DomainError, type AskScope, type Grounding } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { extractionModel, parseStored } from '../extractions/index.ts';
import {
  tooLargeTogether,
  type AskResults,
  type CopyChanges,
  type IndexedResult,
  type PromptCopy,
} from './ask-results.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createScopePassages, type ScopePassages } from './scope-passages-repository.ts';
import { batchSize, byDocument, createScopeDocuments, eachOf, maxNamedIds } from './scope-repository.ts';

/** The documents of a question, and what they hold. */
export interface AskRepository extends ScopePassages {
  size(): Promise<AskScopeSize>;
  /** Characters of the results that are in memory for this scope alone: those of a copy count once the process no longer keeps it. */
  characters(): number;
  documents: { id: string; name: string }[];
  /** Prompts with results, those with most results first. */
  promptIds(): Promise<string[]>;
  /** The newest result of each document. */
  results(promptId: string): Promise<AskResult[]>;
  /** The places of the values of some documents. */
  places(promptId: string, documentIds: readonly string[]): Promise<ReadonlyMap<string, AskPlaces>>;
}

const maxPrompts = 20;
/** Bounds let an index find the few that have a value, where `$exists` and `$ne` would read all. */
const anyText = { $gte: '' };
const noPaths: readonly string[] = [];

export function createAskRepositories(
  connection: Connection,
  results: AskResults,
): (organizationId: string, scope: AskScope) => Promise<AskRepository> {
  const documentsOf = createScopeDocuments(connection);
  const extractions = extractionModel(connection);
  const passagesOf = createScopePassages(connection);

  return async (organizationId, scope) => {
    const organization_id = new mongoose.Types.ObjectId(organizationId);
    const { names, listed, unread, hidden, trashed } = await documentsOf(organizationId, scope);

    /** Values that a check doubts, by document. */
    const riskyPaths = async (promptId: string) => {
      const doubted = { organization_id, prompt_id: promptId, 'validation_errors.path': anyText };
      const risky = new Map<string, string[]>();
      const found = extractions
        .find(doubted, { document_id: 1, validation_errors: 1 })
        .sort({ is_verified: 1, changed_at: 1, _id: 1 })
        .lean()
        .cursor({ batchSize });
      await eachOf(found, ({ document_id, validation_errors }) => {
        const id = document_id.toHexString();
        if (names.has(id)) risky.set(id, [...new Set(validation_errors.map(({ path }) => path))]);
      });
      return risky;
    };
    const promptsOf = createKeptAnswers(async () => results.promptIds(organizationId));
    const isFew = names.size <= maxNamedIds;
    /** Reads the results of a prompt in memory. Those of a few documents alone if they are named, or if all are too large. */
    const fromCopyOr = async <Found>(
      promptId: string,
      few: (key: { organizationId: string; promptId: string }, ids: string[]) => Promise<Found>,
      all: (copy: PromptCopy, key: { organizationId: string; promptId: string }) => Promise<Found>,
    ): Promise<Found> => {
      const key = { organizationId, promptId };
      if (!isFew || scope.document_ids === undefined) {
        const copy = await results.get(key).catch((error: unknown) => {
          if (!isFew || !isTooLarge(error)) throw error;
        });
        if (copy !== undefined) return await all(copy, key);
      }
      return await few(key, [...names.keys()]);
    };
    /** The results of a prompt in the scope, and the characters that reading them would keep. */
    const measureIn = async (promptId: string) =>
      fromCopyOr(
        promptId,
        async (key, ids) => results.measure(key, ids),
        async (copy) => {
          const size = { count: 0, characters: 0 };
          await eachOf(copy.results.values(), ({ document_id, characters }) => {
            if (!names.has(document_id)) return;
            size.count += 1;
            size.characters += characters;
          });
          return size;
        },
      );
    /**
     * Prompts with results in the scope, without those that are too large to be read. What is pending is indexed now, as far
     * as a request can wait for it.
     */
    const usedPrompts = async () => {
      const used: { id: string; count: number; characters: number }[] = [];
      const tooLarge = new Map<string, DomainError>();
      // One after another: the results of each are in memory while they are counted.
      for (const id of await promptsOf()) {
        if (scope.prompt_id !== undefined && id !== scope.prompt_id) continue;
        const size = await measureIn(id).catch((error: unknown) => {
          // Without the only prompt of the scope there is nothing to ask about.
          if (scope.prompt_id !== undefined || !isTooLarge(error)) throw error;
          tooLarge.set(id, error);
        });
        if (size !== undefined && size.count > 0) used.push({ id, ...size });
      }
      used.sort((one, two) => two.count - one.count || (one.id < two.id ? -1 : 1));
      let characters = 0;
      const ids = used.slice(0, maxPrompts).flatMap((each) => {
        if (characters + each.characters <= results.maxCharacters) {
          characters += each.characters;
          return [each.id];
        }
        tooLarge.set(each.id, tooLargeTogether());
        return [];
      });
      return { ids, tooLarge };
    };
    const used = createKeptAnswers(usedPrompts);
    const keptResults = createKeptResults(results);
    const readResults = async (promptId: string): Promise<AskResult[]> => {
      // Read first, a prompt that is left out would take the room of those that are not.
      const leftOut = (await used()).tooLarge.get(promptId);
      if (leftOut) throw leftOut;
      const atRisk = await riskyPaths(promptId);
      const inScope = async (indexed: Iterable<IndexedResult>, count?: (taken: IndexedResult) => void) => {
        const found: AskResult[] = [];
        await eachOf(indexed, (each) => {
          const document_name = names.get(each.document_id);
          if (document_name === undefined) return;
          count?.(each);
          found.push({ ...each, document_name, at_risk: atRisk.get(each.document_id) ?? noPaths });
        });
        return await byDocument(found);
      };
      return await fromCopyOr(
        promptId,
        async (key, ids) => inScope(await results.of(key, ids, keptResults.kept)),
        async (copy, key) =>
          keptResults.countShared(key, copy.changes, async (count) => inScope(copy.results.values(), count)),
      );
    };
    const resultsOf = createKeptAnswers(readResults);
    return {
      async size() {
        const { tooLarge } = await used();
        const lags = (await promptsOf()).map((promptId) => results.lag({ organizationId, promptId }));
        return {
          documents: names.size + hidden,
          unread,
          hidden,
          trashed,
          too_large: tooLarge.size,
          unindexed: (await Promise.all(lags)).reduce((sum, lag) => sum + lag, 0),
        };
      },
      characters: () => keptResults.ownCharacters(),
      documents: listed,
      promptIds: async () => (await used()).ids,
      results: resultsOf,
      ...passagesOf(organizationId, names),
      async places(promptId, documentIds) {
        const wanted = { organization_id, prompt_id: promptId, document_id: { $in: objectIdsOf([...documentIds]) } };
        const found = new Map<string, AskPlaces>();
        const cursor = extractions
          .find(wanted, { document_id: 1, grounding: 1 })
          .sort({ is_verified: -1, changed_at: -1, _id: -1 })
          .lean()
          .cursor({ batchSize: 200 });
        for await (const { document_id, grounding } of cursor) {
          const id = document_id.toHexString();
          if (!found.has(id)) found.set(id, placesOf(await parseStored(grounding)));
        }
        return found;
      },
    };
  };
}

const isTooLarge = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'scope_too_large';

/** The places of the values, by path. */
function placesOf(grounding: Record<string, Grounding>): AskPlaces {
  return Object.fromEntries(
    Object.entries(grounding).flatMap(([path, { page_num, boxes, quote }]) =>
      page_num === null || page_num === undefined
        ? []
        : [[path, { page_num, boxes, ...(typeof quote === 'string' && { quote }) }]],
    ),
  );
}

type PromptKey = Parameters<AskResults['get']>[0];

/** Results of a copy that the scope keeps as well. */
interface SharedResults {
  key: PromptKey;
  changes: CopyChanges;
  replacedBefore: number;
  characters: number;
}

/** Counts the characters of the results that a scope keeps: each stays in memory as long as the scope, also without its copy. */
function createKeptResults(results: Pick<AskResults, 'isKept' | 'maxCharacters'>) {
  const kept = { characters: 0 };
  const shared: SharedResults[] = [];

  return {
    /** Of all results that the scope has read. */
    kept,
    /** Without those that their copy keeps in memory anyway. */
    ownCharacters(): number {
      let own = kept.characters;
      for (const { key, changes, replacedBefore, characters } of shared) {
        // Of what was replaced in the copy, any can be of this scope.
        if (results.isKept(key, changes)) own -= Math.max(0, characters - (changes.replaced - replacedBefore));
      }
      return own;
    },
    /**
     * Counts the results that `read` takes of a copy. If it fails, nothing counts.
     *
     * @throws DomainError `scope_too_large` if the scope would keep too many
     */
    async countShared<Found>(
      key: PromptKey,
      changes: CopyChanges,
      read: (count: (taken: IndexedResult) => void) => Promise<Found>,
    ): Promise<Found> {
      const added = { key, changes, replacedBefore: changes.replaced, characters: 0 };
      try {
        const found = await read((taken) => {
          added.characters += taken.characters;
          kept.characters += taken.characters;
          if (kept.characters > results.maxCharacters) throw tooLargeTogether();
        });
        shared.push(added);
        return found;
      } catch (error) {
        kept.characters -= added.characters;
        throw error;
      }
    },
  };
}
