import type { FileRepository } from '../files/file-repository.ts';
import type { LeftoverRepository } from './leftover-repository.ts';
import type { PageRepository } from '../reading/page-repository.ts';

export interface SweepingDependencies {
  leftovers: LeftoverRepository;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'removeAll'>;
  files: Pick<FileRepository, 'remove'>;
  /** What else belongs to a document and goes with it. */
  onDelete: ((organizationId: string, documentId: string) => Promise<void>)[];
  log: { warn(fields: object, message: string): void };
}

/** How long a document that an agent deleted can come back. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** Puts right what nobody else will. */
export interface SweepingService {
  /** Ends model runs whose process died, and removes for good what agents deleted a month ago. */
  sweep(signal: AbortSignal): Promise<void>;
}

export function createSweepingService(dependencies: SweepingDependencies): SweepingService {
  const { leftovers, pagesOf, files, onDelete, log } = dependencies;
  return {
    async sweep(signal) {
      const lost = await leftovers.failLostRuns(interrupted);
      if (lost > 0) log.warn({ documents: lost }, 'extractions were cut off with their process');
      const failed: string[] = [];
      while (!signal.aborted) {
        const gone = await leftovers.takeDeleted(new Date(Date.now() - keptMilliseconds), failed);
        if (gone === undefined) return;
        try {
          await pagesOf(gone.organizationId).removeAll(gone.documentId);
          for (const also of onDelete) await also(gone.organizationId, gone.documentId);
          await files.remove(gone.fileId);
          await leftovers.forget(gone);
        } catch (error) {
          // It is tried again with the next sweep, and holds up none of the others.
          failed.push(gone.documentId);
          log.warn({ err: error, document_id: gone.documentId }, 'a deleted document was not removed');
        }
      }
    },
  };
}

/** What a document says whose extraction died with its process. */
export const interrupted = {
  code: 'extraction_interrupted',
  message: 'The server stopped while the extraction ran. Run it again.',
};
