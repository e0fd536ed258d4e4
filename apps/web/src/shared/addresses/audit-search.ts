import type { OriginKind } from '@docwright/contract';
import { readLibrarySearch } from './library-search.ts';

/** Query string of the audit page. */
export interface AuditSearch {
  /** User id. */
  actor?: string;
  origin?: OriginKind;
  /** Name of a tool. */
  tool?: string;
  /** Document id. */
  document?: string;
  /** From 1. */
  page?: number;
}

const origins = new Set<unknown>([
  'chat',
  'api',
  'run',
  'schedule',
  'arrival',
  'mcp',
  'auto_create',
] satisfies OriginKind[]);
const id = /^[0-9a-f]{24}$/u;
const toolName = /^[a-z][a-z0-9_]{0,99}$/u;

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { page } = readLibrarySearch({ page: search['page'] });
  const readId = (key: string) => (typeof search[key] === 'string' && id.test(search[key]) ? search[key] : undefined);
  const [actor, document] = [readId('actor'), readId('document')];
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(origins.has(search['origin']) ? { origin: search['origin'] as OriginKind } : {}),
    ...(typeof search['tool'] === 'string' && toolName.test(search['tool']) ? { tool: search['tool'] } : {}),
    ...(document === undefined ? {} : { document }),
    ...(page === undefined ? {} : { page }),
  };
}
