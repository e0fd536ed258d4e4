import { readCollectionSearch, type CollectionSearch } from './collection-search.ts';

export type DocumentTab = 'extraction' | 'forms' | 'agent' | 'page';

/** A place in the document, and the search of a collection that it is a hit of. */
export interface PassageAddress extends CollectionSearch {
  /** From 1. */
  page?: number;
  /** UTF-16 units of the page's text. */
  start?: number;
  end?: number;
  /** Id of the collection that was searched. */
  collection?: string;
}

/** What the document page's address holds, so that a link opens what its sender saw. */
export interface DocumentAddress extends PassageAddress {
  tab?: DocumentTab;
  /** Path of the selected field, dotted with indexes. */
  field?: string;
  /** Revision of the prompt whose extraction is shown. */
  prompt?: string;
  thread?: string | undefined;
  /** An evaluation in which the selected field differs: what is verified is shown beside what a change makes of it. */
  evaluation?: string | undefined;
}

/** The tab that is open; the page is one where there is no room beside the panel, and an address that leads to a place on it opens it. */
export function tabOf({ tab, page }: DocumentAddress, pageIsTab: boolean): DocumentTab {
  const asked = tab ?? (page === undefined ? 'extraction' : 'page');
  return asked === 'page' && !pageIsTab ? 'extraction' : asked;
}

const tabs = new Set<unknown>(['extraction', 'forms', 'agent', 'page'] satisfies DocumentTab[]);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

const whole = (value: unknown, least: number): number | undefined => {
  const number = text(value) === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) && number >= least ? number : undefined;
};

export function readDocumentAddress(search: Record<string, unknown>): DocumentAddress {
  const field = text(search['field']);
  const prompt = text(search['prompt']);
  const thread = text(search['thread']);
  const evaluation = text(search['evaluation']);
  return {
    ...(tabs.has(search['tab']) ? { tab: search['tab'] as DocumentTab } : {}),
    ...(field === undefined ? {} : { field }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(thread === undefined ? {} : { thread }),
    ...(evaluation === undefined ? {} : { evaluation }),
    ...readPassageAddress(search),
  };
}

function readPassageAddress(search: Record<string, unknown>): PassageAddress {
  const page = whole(search['page'], 1);
  const [start, end] = [whole(search['start'], 0), whole(search['end'], 1)];
  const collection = text(search['collection']);
  return {
    ...(page === undefined ? {} : { page }),
    ...(start === undefined || end === undefined || start >= end ? {} : { start, end }),
    ...(collection === undefined ? {} : { collection, ...readCollectionSearch(search) }),
  };
}
