import type { Document } from '@docwright/contract';

/** What is chosen for a common action, kept over pages; the document as last seen. */
export interface Selection {
  documents: ReadonlyMap<string, Document>;
  /** The one chosen or left out last, from which a range goes. */
  anchor: string | undefined;
}

export const nothingSelected: Selection = { documents: new Map(), anchor: undefined };

export function toggled({ documents }: Selection, document: Document): Selection {
  const next = new Map(documents);
  if (!next.delete(document.id)) next.set(document.id, document);
  return { documents: next, anchor: document.id };
}

/** Chooses all of the page from the anchor to `document`; without an anchor on the page, that one alone. */
export function extended(selection: Selection, page: readonly Document[], document: Document): Selection {
  const from = page.findIndex(({ id }) => id === selection.anchor);
  const to = page.findIndex(({ id }) => id === document.id);
  const range = from < 0 ? [document] : page.slice(Math.min(from, to), Math.max(from, to) + 1);
  return {
    documents: new Map([...selection.documents, ...range.map((each): [string, Document] => [each.id, each])]),
    anchor: from < 0 ? document.id : selection.anchor,
  };
}

export function withAll({ documents, anchor }: Selection, more: readonly Document[]): Selection {
  return { documents: new Map([...documents, ...more.map((each): [string, Document] => [each.id, each])]), anchor };
}

export function withoutAll({ documents }: Selection, some: readonly Pick<Document, 'id'>[]): Selection {
  const gone = new Set(some.map(({ id }) => id));
  return { documents: new Map([...documents].filter(([id]) => !gone.has(id))), anchor: undefined };
}

/** Takes over what the list has learned about chosen documents since. */
export function refreshed(selection: Selection, page: readonly Document[]): Selection {
  const newer = page.filter((document) => {
    const known = selection.documents.get(document.id);
    return known !== undefined && known !== document;
  });
  return newer.length === 0 ? selection : withAll(selection, newer);
}
