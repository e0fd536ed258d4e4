import { kindNamed, nameOfKind } from '@docwright/language';
import type { DocumentLines } from '../page/document-text.ts';
import { kindOfDocument } from './document-kind.ts';

/**
 * A document's kind as a person would call it in their language, such as `Invoice`, or the title of its form. Whoever issued it is a value,
 * and its file says nothing about others of the kind, so neither is part of it.
 *
 * @example
 * kindTitle(document, false) // 'Invoice'
 */
export function kindTitle(document: DocumentLines, isTable: boolean, language = 'en'): string {
  const kind = kindOfDocument(document);
  if (kind === undefined) return isTable ? 'Table' : 'Document';
  return nameOfKind(kind, language);
}

/** The first of the prompts that fit a document, unless its name denotes another kind. */
export function findKindOf<Kind extends { name: string }>(
  document: DocumentLines,
  kinds: readonly Kind[],
): Kind | undefined {
  const own = kindOfDocument(document)?.kind;
  return kinds.find(({ name }) => {
    const named = kindNamed(name);
    return own === undefined || named === undefined || named === own;
  });
}
