import { DomainError, type Document, type TrashedDocument, type TrashListQuery } from '@docwright/contract';
import { requireWriter, type Actor } from '../../identity/index.ts';
import type { Purge } from './purge.ts';
import type { TrashRepository } from './trash-repository.ts';

interface TrashServiceDependencies {
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Called after a document was restored: its text might not have been read yet. */
  onRestore: () => Promise<void>;
}

/** The trash of the caller's organization. Throws `document_not_found` for a document that is not in it. */
export interface TrashService {
  list(
    query: TrashListQuery,
  ): Promise<{ documents: TrashedDocument[]; total_count: number; skip: number; limit: number }>;
  restore(id: string): Promise<Document>;
  /** Removes the document and everything that belongs to it for good. */
  purge(id: string): Promise<void>;
}

export function createTrashService(dependencies: TrashServiceDependencies): (actor: Actor) => TrashService {
  const { trashOf, purge, onRestore } = dependencies;
  return (actor) => {
    const trash = trashOf(actor.organizationId);
    return {
      async list(query) {
        return { ...(await trash.list(query)), skip: query.skip, limit: query.limit };
      },
      async restore(id) {
        requireWriter(actor);
        const document = foundInTrash(await trash.restore(id));
        await onRestore();
        return document;
      },
      async purge(id) {
        requireWriter(actor);
        await purge(foundInTrash(await trash.takeForPurge(id)));
      },
    };
  };
}

function foundInTrash<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'document_not_found', 'There is no such document in the trash.');
}
