import type { AskScope } from '@docwright/contract';

/** Query string of the page Ask: the open conversation, and what the next question is about. */
export interface AskSearch {
  thread?: string | undefined;
  collection?: string | undefined;
  tag?: string | undefined;
  prompt?: string | undefined;
  /** Days, as `2026-11-27`. */
  from?: string | undefined;
  to?: string | undefined;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f]{24}$/iu.test(value);
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/u.test(value) && !Number.isNaN(Date.parse(value));

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readAskSearch(search: Record<string, unknown>): AskSearch {
  const { thread, collection, tag, prompt, from, to } = search;
  return {
    ...(isId(thread) ? { thread } : {}),
    ...(isId(collection) ? { collection } : {}),
    ...(isId(tag) ? { tag } : {}),
    ...(isId(prompt) ? { prompt } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  };
}

/** What a question is about; undefined for all documents. */
export function scopeOf({ collection, tag, prompt, from, to }: AskSearch): AskScope | undefined {
  const scope: AskScope = {
    ...(collection !== undefined && { collection_id: collection }),
    ...(tag !== undefined && { tag_ids: [tag] }),
    ...(prompt !== undefined && { prompt_id: prompt }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  return Object.keys(scope).length === 0 ? undefined : scope;
}
