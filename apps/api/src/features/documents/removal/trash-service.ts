import { DomainError, type Document, type TrashedDocument, type TrashListQuery } from '@docwright/contract';
import { requireWriter, type Actor } from '../../identity/actor.ts';
import type { Purge } from './purge.ts';
import type { TrashRepository } from './trash-repository.ts';

export interface TrashServiceDependencies {
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Called with each document that is back: its text may have to be read still. */
  onRestore: () => Promise<void>;
}

/** The deleted documents of the caller's organization. What is not in the trash is `document_not_found`. */
export interface TrashService {
  list(
    query: TrashListQuery,
  ): Promise<{ documents: TrashedDocument[]; total_count: number; skip: number; limit: number }>;
  restore(id: string): Promise<Document>;
  /** Removes the document for good, with all that belongs to it. */
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
        const document = inTrash(await trash.restore(id));
        await onRestore();
        return document;
      },
      async purge(id) {
        requireWriter(actor);
        await purge(inTrash(await trash.takeForPurge(id)));
      },
    };
  };
}

function inTrash<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'document_not_found', 'There is no such document in the trash.');
}
