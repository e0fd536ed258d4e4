export type DocumentTab = 'extraction' | 'forms' | 'agent' | 'page';

/** What the document page's address holds, so that a link opens what its sender saw. */
export interface DocumentAddress {
  tab?: DocumentTab;
  /** Path of the selected field, dotted with indexes. */
  field?: string;
  /** Revision of the prompt whose extraction is shown. */
  prompt?: string;
  thread?: string | undefined;
}

const tabs = new Set<unknown>(['extraction', 'forms', 'agent', 'page'] satisfies DocumentTab[]);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export function readDocumentAddress(search: Record<string, unknown>): DocumentAddress {
  const field = text(search['field']);
  const prompt = text(search['prompt']);
  const thread = text(search['thread']);
  return {
    ...(tabs.has(search['tab']) ? { tab: search['tab'] as DocumentTab } : {}),
    ...(field === undefined ? {} : { field }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(thread === undefined ? {} : { thread }),
  };
}
