import { DomainError, type Document, type TrashedDocument, type TrashListQuery } from '@docwright/contract';
import type { PageEnd } from '../../../platform/database/page.ts';
import { declareWrites, type AuditWrites, type NoteWrite } from '../../audit/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { Purge } from './purge.ts';
import type { TrashRepository } from './trash-repository.ts';

interface TrashServiceDependencies {
  auditWrites: AuditWrites;
  trashOf: (organizationId: string) => TrashRepository;
  purge: Purge;
  /** Whether the bytes of removed documents stay as former versions. */
  keepsRemoved: () => Promise<boolean>;
  /** Called after a document was restored: its text might not have been read yet. */
  onRestore: (organizationId: string) => Promise<void>;
}

interface TrashPage {
  documents: TrashedDocument[];
  skip: number;
  limit: number;
  keeps_removed_files?: true;
}

/** The trash of the caller's organization. Throws `document_not_found` for a document that is not in it. */
export interface TrashService {
  list(query: TrashListQuery): Promise<PageEnd & TrashPage>;
  restore(id: string, note?: NoteWrite): Promise<Document>;
  /** Removes the document and everything that belongs to it for good. */
  purge(id: string, note?: NoteWrite): Promise<void>;
}

const writes = declareWrites<TrashService>({
  restore: { tool: 'restore_document', takes: ['document_id', 'note'] },
  purge: { tool: 'purge_document', takes: ['document_id', 'note'] },
});

export function createTrashService(dependencies: TrashServiceDependencies): (actor: Actor) => TrashService {
  const { trashOf, purge, onRestore, keepsRemoved } = dependencies;
  return dependencies.auditWrites(writes, (actor) => {
    const trash = trashOf(actor.organizationId);
    return {
      async list(query) {
        const [page, keeps] = await Promise.all([trash.list(query), keepsRemoved()]);
        return {
          ...page,
          skip: query.skip,
          limit: query.limit,
          ...(keeps && { keeps_removed_files: true as const }),
        };
      },
      async restore(id, note) {
        const document = foundInTrash(await trash.restore(id, note));
        await onRestore(actor.organizationId);
        return document;
      },
      async purge(id, note) {
        await purge(foundInTrash(await trash.takeForPurge(id, note)));
      },
    };
  });
}

function foundInTrash<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'document_not_found', 'There is no such document in the trash.');
}
