import { readFileSync } from 'node:fs';
import { page } from './documented-use.ts';

/** The shard keys that the page for operators names, by collection. */
const shardKeys: ReadonlyMap<string, readonly string[]> = new Map(
  [...readFileSync(page, 'utf8').matchAll(/^\| `(?<collection>\w+)` \| `(?<key>organization_id[^`]*)` \|$/gmu)].map(
    ({ groups }) => [groups!['collection']!, groups!['key']!.split(', ')],
  ),
);

/** The fields of the shard key of a collection; undefined for one that stays unsharded. */
export const shardKeyOf = (collection: string): readonly string[] | undefined => shardKeys.get(collection);

/** The collections of which the page says why they stay unsharded. */
export const unshardedCollections: readonly string[] = [
  ...readFileSync(page, 'utf8').matchAll(/^\| (?<names>`[\w.]+`(?:, `[\w.]+`)*) \| [^`|]+ \|$/gmu),
].flatMap(({ groups }) => [...groups!['names']!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!));

/** All collections that have a shard key. */
export const shardedCollections: readonly string[] = [...shardKeys.keys()];
