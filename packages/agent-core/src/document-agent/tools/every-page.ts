import type { Listed } from '../services.ts';

const pageSize = 100;

/** All that a list holds, fetched page by page. */
export async function everyPage<Plural extends string, Item>(
  plural: Plural,
  list: (query: { skip: number; limit: number }) => Promise<Listed<Plural, Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = await list({ skip: items.length, limit: pageSize });
    items.push(...page[plural]);
    if (page[plural].length < pageSize || items.length >= page.total_count) return items;
  }
}
