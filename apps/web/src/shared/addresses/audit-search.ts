import type { OriginKind } from '@docwright/contract';
import { readLibrarySearch } from './library-search.ts';

/** What the address of the audit holds. */
export interface AuditSearch {
  /** A user's id. */
  actor?: string;
  origin?: OriginKind;
  /** The name of a tool. */
  tool?: string;
  /** A document's id. */
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

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { page } = readLibrarySearch({ page: search['page'] });
  const own = (key: string) => (typeof search[key] === 'string' && id.test(search[key]) ? search[key] : undefined);
  const [actor, document] = [own('actor'), own('document')];
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(origins.has(search['origin']) ? { origin: search['origin'] as OriginKind } : {}),
    ...(typeof search['tool'] === 'string' && toolName.test(search['tool']) ? { tool: search['tool'] } : {}),
    ...(document === undefined ? {} : { document }),
    ...(page === undefined ? {} : { page }),
  };
}
