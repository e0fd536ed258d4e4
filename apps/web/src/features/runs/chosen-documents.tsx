import type { Document } from '@docwright/contract';

/** A document that was chosen on another page, for a run or a setup. */
export type ChosenDocument = Pick<Document, 'id' | 'document_name'>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For a new run or setup. Part of the history entry, since a thousand ids do not fit into a URL. */
    chosenDocuments?: ChosenDocument[];
  }
}

const maxNames = 8;

export const chosenLabel = (chosen: readonly ChosenDocument[]): string =>
  chosen.length === 1 ? 'The document you chose' : `The ${chosen.length} documents you chose`;

/** The first names of the documents that were chosen on another page. */
export function ChosenList({ chosen }: { chosen: readonly ChosenDocument[] }) {
  return (
    <ul
      aria-label="Chosen documents"
      className="list-disc rounded-md border border-line bg-surface py-2 pr-3 pl-7 text-sm"
    >
      {chosen.slice(0, maxNames).map(({ id, document_name }) => (
        <li key={id} className="wrap-anywhere">
          {document_name}
        </li>
      ))}
      {chosen.length > maxNames && <li className="text-ink-soft">and {chosen.length - maxNames} more</li>}
    </ul>
  );
}
