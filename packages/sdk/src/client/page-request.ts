import type { PageQuery } from '@docwright/contract';

/**
 * The page of a list: `skip` items are left out (default 0), and at most `limit` items are returned (default 10, maximum
 * 100). With `listAll`, `limit` is the size of the requested pages (default 100).
 *
 * @example
 * ```ts
 * import type { Docwright, PageRequest } from '@docwright/sdk';
 *
 * declare const docwright: Docwright;
 * const secondPage: PageRequest = { skip: 100, limit: 100 };
 * const { sources, total_count } = await docwright.sources.list(secondPage);
 * console.log(sources.length, total_count);
 * ```
 */
export type PageRequest = Partial<PageQuery>;
