import type { Preview } from '@docwright/contract';
import type { Listed } from '../services.ts';
import { everyPage } from './every-page.ts';

const mostCollisions = 50;

/** What a new thing would share its name with, letter case aside. */
export async function collisionPreview<Plural extends string, Item extends { name: string }>(
  name: string,
  plural: Plural,
  list: (query: { skip: number; limit: number; name_search: string }) => Promise<Listed<Plural, Item>>,
  idOf: (item: Item) => string,
): Promise<Preview> {
  const found = await everyPage(plural, (query) => list({ ...query, name_search: name }));
  const same = found.filter((item) => item.name.toLowerCase() === name.toLowerCase());
  return {
    kind: 'create',
    collides_with: same.slice(0, mostCollisions).map((item) => ({ id: idOf(item), name: item.name })),
  };
}
