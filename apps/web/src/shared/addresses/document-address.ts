import { readCollectionSearch, type CollectionPageSearch } from './collection-search.ts';

export type DocumentTab = 'extraction' | 'forms' | 'agent' | 'page';

/** A passage of the document, and the collection search that found it. */
export interface PassageAddress extends CollectionPageSearch {
  /** From 1. */
  page?: number;
  /** UTF-16 units of the page's text. */
  start?: number;
  end?: number;
  /** Id of the collection that was searched. */
  collection?: string;
}

/** Query string of the document page: a shared link opens the same view. */
export interface DocumentAddress extends PassageAddress {
  tab?: DocumentTab;
  /** Dotted path of the selected field, such as `line_items.0.amount`. */
  field?: string;
  /** Revision of the prompt whose extraction is shown. */
  prompt?: string;
  thread?: string | undefined;
  /** Id of an evaluation in which the selected field differs: verified and changed value are shown side by side. */
  evaluation?: string | undefined;
}

/** The open tab. In narrow windows the page is a tab of its own, and a URL with a page number opens it. */
export function tabOf({ tab, page }: DocumentAddress, pageIsTab: boolean): DocumentTab {
  const requested = tab ?? (page === undefined ? 'extraction' : 'page');
  return requested === 'page' && !pageIsTab ? 'extraction' : requested;
}

const tabs = new Set<unknown>(['extraction', 'forms', 'agent', 'page'] satisfies DocumentTab[]);

const parameterText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

const parameterInteger = (value: unknown, min: number): number | undefined => {
  const number = parameterText(value) === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) && number >= min ? number : undefined;
};

export function readDocumentAddress(search: Record<string, unknown>): DocumentAddress {
  const field = parameterText(search['field']);
  const prompt = parameterText(search['prompt']);
  const thread = parameterText(search['thread']);
  const evaluation = parameterText(search['evaluation']);
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
  const page = parameterInteger(search['page'], 1);
  const [start, end] = [parameterInteger(search['start'], 0), parameterInteger(search['end'], 1)];
  const collection = parameterText(search['collection']);
  return {
    ...(page === undefined ? {} : { page }),
    ...(start === undefined || end === undefined || start >= end ? {} : { start, end }),
    ...(collection === undefined ? {} : { collection, ...readCollectionSearch(search) }),
  };
}
