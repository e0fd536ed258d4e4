import { detectKind, nameOfKind, type DetectedKind, type DocumentKind as KnownKind } from '@docwright/language';
import type { DocumentLines } from '../page/document-text.ts';

/** What a person would call a document; `document` if that is unclear. */
export type ProposedKind = KnownKind | 'document';

const maxPages = 2;

/** The kind of a document by its first two pages; undefined if it is unclear. */
export function kindOfDocument({ lines }: DocumentLines): DetectedKind | undefined {
  const read = lines.filter(({ page }) => page <= maxPages).map(({ text }) => text);
  return detectKind(read.join('\n'));
}

/** The kind within a sentence. */
export function kindName(kind: ProposedKind): string {
  return kind === 'document' ? kind : inSentence(nameOfKind({ kind }));
}

const inSentence = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);
