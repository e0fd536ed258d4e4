import type { PageQuery } from '@docwright/contract';

/** `skip` (0) and `limit` (10, at most 100; `listAll` asks for 100 at a time). */
export type PageRequest = Partial<PageQuery>;
