import { DomainError, type Document, type DocumentState } from '@docwright/contract';

/** The states in which the text of a document is not ready yet. */
export const readingStates: DocumentState[] = ['uploaded', 'ocr_processing'];

type ReadState = Pick<Document, 'state' | 'duplicate_of'>;

/** Whether the text of the document is still being read. Nothing waits for a duplicate, which is never read, or for one that is gone. */
export const isBeingRead = (document: ReadState | undefined): boolean =>
  document?.duplicate_of === undefined && document !== undefined && readingStates.includes(document.state);

/** Why a duplicate has no text, and what helps. */
export const duplicateHasNoText = (original: string): string =>
  `The document has the bytes of ${original} and is not read twice. Use that one, or set duplicate_of to null.`;

/** `document_not_read_yet` while the text is being read, `document_has_no_text` for a duplicate, else undefined. */
export function unreadReason(document: ReadState): DomainError | undefined {
  const { state, duplicate_of } = document;
  if (duplicate_of !== undefined) {
    return new DomainError('conflict', 'document_has_no_text', duplicateHasNoText(duplicate_of));
  }
  if (!isBeingRead(document)) return undefined;
  const message = `The text of the document is still being read (state ${state}). Try again when it is ocr_completed.`;
  return new DomainError('conflict', 'document_not_read_yet', message);
}
