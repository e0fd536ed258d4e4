/** The shared part of every list's answer. */
export interface Page {
  total_count: number;
  /** Present if there are more than `total_count`. */
  total_is_minimum?: true | undefined;
  /** Records that are in the place of this page, but left out since they are damaged. */
  unreadable?: readonly string[] | undefined;
  skip: number;
  limit: number;
}

interface PageSelection {
  skip?: number | undefined;
  limit?: number | undefined;
}

const maxPageSize = 100;

/** Yields every item of a list from `skip` on. Requests pages of `limit` items on demand. */
export async function* everyPage<Found extends Page, Item>(
  { skip = 0, limit = maxPageSize }: PageSelection,
  list: (page: { skip: number; limit: number }) => Promise<Found>,
  itemsOf: (page: Found) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  for (let next = skip; ;) {
    const page = await list({ skip: next, limit });
    const items = itemsOf(page);
    yield* items;
    const read = items.length + (page.unreadable?.length ?? 0);
    next += read;
    if (read === 0 || (page.total_is_minimum !== true && next >= page.total_count)) return;
  }
}

/** Makes the `listAll` of a `list`. It yields every matching item. */
export function listAllOf<Query extends PageSelection, Options, Found extends Page, Item>(
  list: (query?: Query | { skip: number; limit: number }, options?: Options) => Promise<Found>,
  itemsOf: (page: Found) => readonly Item[],
) {
  return (query?: Query, options?: Options) =>
    everyPage(query ?? {}, (page) => list(query === undefined ? page : { ...query, ...page }, options), itemsOf);
}
