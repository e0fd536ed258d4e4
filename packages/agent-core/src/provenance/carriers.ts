import type { DocumentPlace, KnownObject } from './known-object.ts';
import { startsIn, startsOfAnId } from './text/id-digits.ts';
import { TextIndex, wordsOf, type TextMatch } from './text/text-index.ts';

/**
 * A name of an object, or of a field of a schema, that can hold more than a name: a document can have dictated it in another conversation. What it
 * says about other objects counts as said by a document; about its own object it is the name.
 */
export interface Carrier {
  readonly name: string;
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
      byName.set(name, { name, ids: [...ids], index, length: words.length });
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

const carriersByStart = new WeakMap<readonly Carrier[], Map<string, Carrier[]>>();

/** The first place of an id in a name of another object. Of tens of thousands of names, only those are read that have a part of it. */
export function findIdInCarriers(carriers: readonly Carrier[], id: string): TextMatch<DocumentPlace> | undefined {
  const ownId = id.toLowerCase();
  const byStart = carriersByStart.get(carriers) ?? new Map<string, Carrier[]>();
  if (!carriersByStart.has(carriers)) {
    for (const carrier of carriers) {
      for (const start of startsIn(carrier.name)) {
        const known = byStart.get(start);
        if (known === undefined) byStart.set(start, [carrier]);
        else known.push(carrier);
      }
    }
    carriersByStart.set(carriers, byStart);
  }
  const some = new Set(startsOfAnId(ownId).flatMap((start) => byStart.get(start) ?? []));
  return findInCarriers([...some], (index) => index.findId(id), { ownId });
}

const isAscii = /^[\0-\x7f]*$/;

/**
 * The ids of objects whose names a reader takes for each other's, such as “Invoice” with a Cyrillic letter or an invisible one: who says such a
 * name can mean either.
 */
export function lookAlikes(namesOf: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const other = [...namesOf.values()].flat().filter((name) => !isAscii.test(name));
  const looks = new Set(other.map((name) => wordsOf(name).join(' ')));
  if (looks.size === 0) return found;
  const byLook = new Map<string, { spellings: Set<string>; ids: Set<string> }>();
  for (const [id, names] of namesOf) {
    for (const name of names) {
      const look = wordsOf(name).join(' ');
      if (!looks.has(look)) continue;
      const known = byLook.get(look) ?? { spellings: new Set(), ids: new Set() };
      known.spellings.add(
        name
          .normalize('NFC')
          .toLowerCase()
          .match(/[\p{L}\p{N}\p{M}\p{Cf}]+/gu)
          ?.join(' ') ?? '',
      );
      known.ids.add(id);
      byLook.set(look, known);
    }
  }
  for (const { spellings, ids } of byLook.values()) if (spellings.size > 1) for (const id of ids) found.add(id);
  return found;
}
