import type { StoredBytes } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from '../reading/page-repository.ts';
import type { DeletedDocument, LeftoverRepository } from './leftover-repository.ts';

interface PurgeDependencies {
  leftovers: Pick<LeftoverRepository, 'forget'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'removeAll'>;
  files: Pick<FileRepository, 'remove'>;
  storedBytes: Pick<StoredBytes, 'forget'>;
  /** One of the duplicates of the document takes its place. */
  releaseDuplicates: (organizationId: string, documentId: string) => Promise<void>;
  /** Takes what went to the trash with the document. */
  takeAttached: (organizationId: string, documentId: string) => Promise<DeletedDocument[]>;
  /** Remove the records of other features. */
  onRemove: ((organizationId: string, documentId: string) => Promise<void>)[];
}

/**
 * Removes a document and everything that belongs to it for good. The record is removed last, so that the sweep can
 * finish an interrupted removal.
 */
export type Purge = (document: DeletedDocument) => Promise<void>;

export function createPurge(dependencies: PurgeDependencies): Purge {
  const { leftovers, pagesOf, files, storedBytes, onRemove, releaseDuplicates, takeAttached } = dependencies;
  const purge: Purge = async (document) => {
    for (const attached of await takeAttached(document.organizationId, document.documentId)) await purge(attached);
    await pagesOf(document.organizationId).removeAll(document.documentId);
    for (const remove of onRemove) await remove(document.organizationId, document.documentId);
    await releaseDuplicates(document.organizationId, document.documentId);
    await files.remove(document.fileId);
    await storedBytes.forget(document.organizationId, document.documentId);
    await leftovers.forget(document);
  };
  return purge;
}
