import type { Document } from '@docwright/contract';

/** A document that was chosen on another page, for a run or a setup. */
export type ChosenDocument = Pick<Document, 'id' | 'document_name'>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For a new run or setup. Part of the history entry, since a thousand ids do not fit into an address. */
    chosenDocuments?: ChosenDocument[];
  }
}
