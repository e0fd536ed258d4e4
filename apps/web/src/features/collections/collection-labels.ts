import type { Collection, CollectionChanges, SearchHit } from '@docwright/contract';
import { labelOfName } from '../../shared/formats/capitalize.ts';
import type { Tone } from '../../shared/formats/run-labels.ts';
import { counted } from '../../shared/formats/counted.ts';

/** The label of a collection's state; failed documents show in it. */
export function collectionStateLabel({ status, progress }: Pick<Collection, 'status' | 'progress'>): {
  label: string;
  tone: Tone;
} {
  if (status === 'indexing') return { label: 'Indexing', tone: 'busy' };
  if (status === 'failed') return { label: 'Failed', tone: 'bad' };
  if (status === 'stopped') return { label: 'Stopped', tone: 'neutral' };
  return progress.failed === 0 ? { label: 'Ready', tone: 'good' } : { label: 'Some failed', tone: 'warn' };
}

/** The progress or outcome of indexing. */
export function progressLabel({ status, progress }: Pick<Collection, 'status' | 'progress'>): string {
  const { documents, indexed, failed, waiting } = progress;
  if (documents === 0) return 'The source has no documents';
  const parts = [
    indexed === documents
      ? counted(documents, 'document')
      : `${indexed.toLocaleString()} of ${counted(documents, 'document')}`,
    failed > 0 && `${failed.toLocaleString()} failed`,
    waiting > 0 && `${waiting.toLocaleString()} ${status === 'indexing' ? 'to go' : 'skipped'}`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** The changes of the source that an update would index; undefined if the collection is up to date. */
export function sourceChangeLabel({ added, removed, changed }: Omit<CollectionChanges, 'failed'>): string | undefined {
  const parts = [
    added > 0 && `${counted(added, 'document')} added to the source.`,
    removed > 0 && `${counted(removed, 'document')} removed from the source and still found here.`,
    changed > 0 && `${counted(changed, 'document')} with changed values.`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** How a hit was found. */
export function foundBy({ lexical_rank, vector_rank }: Pick<SearchHit, 'lexical_rank' | 'vector_rank'>): string {
  if (vector_rank === undefined) return 'Keywords';
  return lexical_rank === undefined ? 'Meaning' : 'Keywords and meaning';
}

/** The place of a hit in its document. */
export const placeOfHit = ({ page_num }: Pick<SearchHit, 'page_num'>): string =>
  page_num === null ? 'Extracted values' : `Page ${page_num}`;

const failureLabels: Record<string, string> = {
  no_parser: 'No parser for this kind of file',
  no_text: 'Nothing to read',
  no_text_layer: 'Scanned pages without a text layer',
  wrong_type: 'Another kind of file than the parser reads',
  password_required: 'Protected by a password',
  internal_error: 'Could not be processed',
};

/** The label of a category of failures; unknown codes are spelled out. */
export function failureLabel(category: string): string {
  return failureLabels[category] ?? labelOfName(category);
}
