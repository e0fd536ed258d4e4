import { clientError } from './docwright-error.ts';

/** The shared part of every list's answer. */
export interface Page {
  total_count: number;
  /** Present if there are more than `total_count`. */
  total_is_minimum?: true | undefined;
  /** Records that are in the place of this page, but left out since they are damaged. */
  unreadable?: readonly string[] | undefined;
  /** Absent on the last page, and in lists without cursors. */
  next_cursor?: string | undefined;
  skip: number;
  limit: number;
}

interface PageSelection {
  skip?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** `skip` counts from the cursor. */
interface OnePage {
  skip: number;
  limit: number;
  cursor?: string;
}

const maxPageSize = 100;

/**
 * Yields every item of a list from `skip` or `cursor` on. Requests pages of `limit` items on demand, by cursor where the list
 * has them: what is added or removed meanwhile then repeats no other item and leaves none out.
 */
export async function* everyPage<Found extends Page, Item>(
  { skip = 0, limit = maxPageSize, cursor }: PageSelection,
  list: (page: OnePage) => Promise<Found>,
  itemsOf: (page: Found) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let next = skip;
  for (let one: OnePage = { skip, limit, ...(cursor !== undefined && { cursor }) }; ;) {
    const page = await list(one);
    const items = itemsOf(page);
    yield* items;
    const read = items.length + (page.unreadable?.length ?? 0);
    next += read;
    if (page.next_cursor !== undefined && page.next_cursor === one.cursor) {
      throw clientError('not_docwright', 'The server answers the same page of a list again and again.');
    }
    if (page.next_cursor !== undefined) one = { skip: 0, limit, cursor: page.next_cursor };
    // The last page behind a cursor.
    else if (one.cursor !== undefined) return;
    else if (read === 0 || (page.total_is_minimum !== true && next >= page.total_count)) return;
    else one = { skip: next, limit };
  }
}

/** Makes the `listAll` of a `list`. It yields every matching item. */
export function listAllOf<Query extends PageSelection, Options, Found extends Page, Item>(
  list: (query?: Query | OnePage, options?: Options) => Promise<Found>,
  itemsOf: (page: Found) => readonly Item[],
) {
  return (query?: Query, options?: Options) =>
    everyPage(query ?? {}, (page) => list(query === undefined ? page : { ...query, ...page }, options), itemsOf);
}
