import { DomainError } from '@docwright/contract';

/** The number of documents that an error names. */
const maxNamed = 100;

/** Throws `proposal_verified`, with the documents whose verified results a rejection would remove. */
export function requireUnverified(documents: readonly { document_id: string; document_name: string }[]): void {
  if (documents.length === 0) return;
  const names = documents.slice(0, 3).map(({ document_name }) => `"${document_name}"`);
  const more = documents.length > names.length ? ` and ${documents.length - names.length} more` : '';
  throw new DomainError(
    'conflict',
    'proposal_verified',
    `A user has verified the result of ${names.join(', ')}${more}, and rejecting the proposal removes it. Send including_verified: true to reject it anyway.`,
    { documents: documents.slice(0, maxNamed), count: documents.length },
  );
}
