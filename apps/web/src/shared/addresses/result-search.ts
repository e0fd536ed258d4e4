import { maxResultDocuments } from '@docwright/contract';

/** Query string of the page Results: a shared link opens the same rows. */
export interface ResultSearch {
  /** Id of the prompt. */
  prompt?: string;
  /** Path of a list of objects: a row for each of its items. */
  table?: string;
  where?: string;
  /** A column; descending with `-` in front. */
  sort?: string;
  columns?: string[];
  /** The state of the results. */
  show?: ResultShow;
  tag?: string;
  /** Ids of chosen documents. */
  documents?: string[];
  /** The column by whose values totals are grouped. */
  group?: string;
  /** The column that is added up. */
  sum?: string;
}

const shows = ['released', 'open', 'withdrawn', 'verified', 'unverified'] as const;
export type ResultShow = (typeof shows)[number];

const id = /^[0-9a-f]{24}$/u;
const maxText = 4_000;

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readResultSearch(search: Record<string, unknown>): ResultSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isText && String(value) !== '' ? String(value).slice(0, maxText) : undefined;
  };
  const list = (name: string): string[] | undefined => {
    const value = search[name];
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
    return texts.length > 0 ? texts : undefined;
  };
  const [prompt, tag] = [text('prompt'), text('tag')];
  const documents = list('documents')?.filter((each) => id.test(each));
  const show = shows.find((known) => known === search['show']);
  const entries = Object.entries({
    prompt: prompt !== undefined && id.test(prompt) ? prompt : undefined,
    table: text('table'),
    where: text('where'),
    sort: text('sort'),
    columns: list('columns')?.slice(0, 300),
    show,
    tag: tag !== undefined && id.test(tag) ? tag : undefined,
    documents: documents && documents.length > 0 ? documents.slice(0, maxResultDocuments) : undefined,
    group: text('group'),
    sum: text('sum'),
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as ResultSearch;
}

/** The filter as parameters of the API. */
export const resultFilterOf = ({ table, where, show, tag, documents }: ResultSearch) => ({
  table,
  where,
  release: show === 'verified' || show === 'unverified' ? undefined : show,
  is_verified: show === 'verified' ? true : show === 'unverified' ? false : undefined,
  tag_ids: tag === undefined ? undefined : [tag],
  document_ids: documents,
});

/** Whether the rows are not all of the prompt. */
export const isFiltered = ({ where, show, tag, documents }: ResultSearch): boolean =>
  where !== undefined || show !== undefined || tag !== undefined || documents !== undefined;
