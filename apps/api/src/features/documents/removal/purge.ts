import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from '../reading/page-repository.ts';
import type { DeletedDocument, LeftoverRepository } from './leftover-repository.ts';

interface PurgeDependencies {
  leftovers: Pick<LeftoverRepository, 'forget'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'removeAll'>;
  files: Pick<FileRepository, 'remove'>;
  /** What else belongs to a document and is removed with it. */
  onDelete: ((organizationId: string, documentId: string) => Promise<void>)[];
}

/**
 * Removes a document for good with all that belongs to it. The record is removed last, so that the sweep finds a document
 * again whose removal was interrupted.
 */
export type Purge = (document: DeletedDocument) => Promise<void>;

export function createPurge({ leftovers, pagesOf, files, onDelete }: PurgeDependencies): Purge {
  return async (document) => {
    await pagesOf(document.organizationId).removeAll(document.documentId);
    for (const remove of onDelete) await remove(document.organizationId, document.documentId);
    await files.remove(document.fileId);
    await leftovers.forget(document);
  };
}
