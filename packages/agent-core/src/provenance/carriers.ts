import type { DocumentPlace, KnownObject } from './known-object.ts';
import { TextIndex, wordsOf, type TextMatch } from './text-index.ts';

/**
 * A name of an object, or of a field of a schema, that can hold more than a name: a document can have dictated it in another conversation. What it
 * says about other objects counts as said by a document; about its own object it is the name.
 */
export interface Carrier {
  readonly ids: readonly string[];
  readonly index: TextIndex<DocumentPlace>;
  /** Number of words of the name. */
  readonly length: number;
}

/** From this number of words on a name can hold an order. */
const wordsOfAnOrder = 3;
const holdsId = /[0-9a-f]{24}/i;

/** Whether a name is long enough for an order, or holds an id. */
export function canCarryOrder(name: string): boolean {
  const words = wordsOf(name);
  return words.length >= wordsOfAnOrder || holdsId.test(words.join(''));
}

/** The names that can carry an order, but for those that the user said. */
export function carriersAmong(
  objects: readonly KnownObject[],
  isSaid: (words: readonly string[]) => boolean,
): Carrier[] {
  const byName = new Map<string, Carrier & { ids: string[] }>();
  for (const { ids, names, fields = [] } of objects) {
    for (const name of [...names, ...fields]) {
      const known = byName.get(name);
      if (known !== undefined) {
        known.ids.push(...ids);
        continue;
      }
      if (!canCarryOrder(name)) continue;
      const words = wordsOf(name);
      if (isSaid(words)) continue;
      const index = new TextIndex<DocumentPlace>();
      index.add({ text: name, place: { found_in: 'tool_result' } });
      byName.set(name, { ids: [...ids], index, length: words.length });
    }
  }
  return [...byName.values()];
}

/**
 * The first match in a name of another object.
 *
 * @param ownId the object that is looked for; its own name says nothing about it
 * @param words a name has to hold more than these
 */
export function findInCarriers(
  carriers: readonly Carrier[],
  look: (index: TextIndex<DocumentPlace>) => TextMatch<DocumentPlace> | 'exhausted' | undefined,
  { ownId, words = 0 }: { ownId?: string; words?: number } = {},
): TextMatch<DocumentPlace> | undefined {
  for (const { ids, index, length } of carriers) {
    if (length <= words || (ownId !== undefined && ids.includes(ownId))) continue;
    const found = look(index);
    if (found !== undefined && found !== 'exhausted') return found;
  }
  return undefined;
}
