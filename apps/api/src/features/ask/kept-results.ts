import { tooLargeTogether, type AskResults, type CopyChanges, type IndexedResult } from './ask-results.ts';

type PromptKey = Parameters<AskResults['get']>[0];

/** Results of a copy that the scope keeps as well. */
interface SharedResults {
  key: PromptKey;
  changes: CopyChanges;
  replacedBefore: number;
  characters: number;
}

/** Counts the characters of the results that a scope keeps: each stays in memory as long as the scope, also without its copy. */
export function createKeptResults(results: Pick<AskResults, 'isKept' | 'maxCharacters'>) {
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
