import { DomainError, type Document } from '@docwright/contract';
import { unlockPdf } from '@docwright/documents';
import { declareWrites, type AuditWrites } from '../../audit/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { DocumentRepository } from '../records/document-repository.ts';
import type { TextQueueRepository } from './text-queue-repository.ts';
import type { FileRepository } from '../files/file-repository.ts';

interface UnlockServiceDependencies {
  auditWrites: AuditWrites;
  documentsOf: (organizationId: string) => DocumentRepository;
  files: FileRepository;
  queue: Pick<TextQueueRepository, 'readFrom'>;
  /** Wakes the reader of texts. */
  wakeTextReader: () => Promise<void>;
}

/** Opens PDFs that could not be read because they need a password. */
export interface UnlockService {
  /** Stores the file without its password, and has it read. The password is not stored. */
  unlock(id: string, password: string): Promise<Document>;
}

const writes = declareWrites<UnlockService>({ unlock: { tool: 'unlock_document', takes: ['document_id', '-'] } });

export function createUnlockService(dependencies: UnlockServiceDependencies): (actor: Actor) => UnlockService {
  const { documentsOf, files, queue, wakeTextReader } = dependencies;
  return dependencies.auditWrites(writes, ({ organizationId }) => {
    const documents = documentsOf(organizationId);
    return {
      async unlock(id, password) {
        const found = await documents.fileOf(id);
        if (!found) throw new DomainError('not_found', 'document_not_found', 'There is no such document.');
        const { document, file_id } = found;
        if (document.state_error?.code !== 'password_required') throw notLocked();
        const bytes = await unlockPdf({ bytes: await files.read(file_id), password });
        const open = await files.store(bytes, document.document_name);
        if (!(await queue.readFrom(id, file_id, { file_id: open, size_bytes: bytes.byteLength }))) {
          await files.remove(open);
          throw notLocked();
        }
        await files.settle([open]);
        await files.remove(file_id);
        await wakeTextReader();
        return (await documents.get(id)) ?? document;
      },
    };
  });
}

function notLocked(): DomainError {
  const message = 'The document does not wait for a password. Read its state again.';
  return new DomainError('conflict', 'no_password_needed', message);
}
