import type { FileRepository } from '../files/file-repository.ts';
import type { LeftoverRepository } from './leftover-repository.ts';
import type { Purge } from './purge.ts';
import { trashKeptMs } from './trash-repository.ts';

interface SweepingDependencies {
  leftovers: LeftoverRepository;
  files: Pick<FileRepository, 'remove' | 'settle' | 'listUnsettled'>;
  purge: Purge;
  log: { warn(fields: object, message: string): void };
}

/** No upload takes longer. */
const longestUploadMs = 6 * 60 * 60 * 1000;
const unsettledAtOnce = 100;

/** Puts right what nobody else will. */
export interface SweepingService {
  /** Ends model runs whose process died, removes the files that killed uploads left, and for good what has been in the trash for 30 days. */
  sweep(signal: AbortSignal): Promise<void>;
}

export function createSweepingService(dependencies: SweepingDependencies): SweepingService {
  const { leftovers, files, purge, log } = dependencies;

  async function removeUnsettledFiles(signal: AbortSignal): Promise<void> {
    const before = new Date(Date.now() - longestUploadMs);
    for (const fileId of await files.listUnsettled(before, unsettledAtOnce)) {
      if (signal.aborted) return;
      // The process died between the documents and the note that they are there.
      if (await leftovers.isFileUsed(fileId)) await files.settle([fileId]);
      else await files.remove(fileId);
    }
  }

  return {
    async sweep(signal) {
      const lost = await leftovers.failLostRuns(interrupted);
      if (lost > 0) log.warn({ documents: lost }, 'extractions were cut off with their process');
      await removeUnsettledFiles(signal);
      const failed: string[] = [];
      while (!signal.aborted) {
        const gone = await leftovers.takeDeleted(new Date(Date.now() - trashKeptMs), failed);
        if (gone === undefined) return;
        try {
          await purge(gone);
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
