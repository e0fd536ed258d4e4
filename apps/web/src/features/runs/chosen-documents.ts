import type { Document } from '@docwright/contract';

/** A document that was chosen elsewhere, for a run or a setup. */
export type ChosenDocument = Pick<Document, 'id' | 'document_name'>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For a new run or setup; with the entry of the history, since an address has no room for a thousand ids. */
    chosenDocuments?: ChosenDocument[];
  }
}
