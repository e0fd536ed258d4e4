import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from '../reading/page-repository.ts';
import type { LeftoverRepository } from './leftover-repository.ts';
import type { Purge } from './purge.ts';
import { trashRetentionMs } from './trash-repository.ts';

interface SweepingDependencies {
  leftovers: LeftoverRepository;
  files: Pick<FileRepository, 'remove' | 'settle' | 'listUnsettled'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'removeAll'>;
  purge: Purge;
  log: { warn(fields: object, message: string): void };
}

/** Longer than any upload takes. */
const maxUploadMs = 6 * 60 * 60 * 1000;
const maxUnsettledPerSweep = 100;

export function createSweepingService(dependencies: SweepingDependencies) {
  const { leftovers, files, pagesOf, purge, log } = dependencies;

  async function removeUnsettledFiles(signal: AbortSignal): Promise<void> {
    const before = new Date(Date.now() - maxUploadMs);
    for (const { fileId, pagesIn } of await files.listUnsettled(before, maxUnsettledPerSweep)) {
      if (signal.aborted) return;
      // A file with a document is settled: the process died between `insert` and `settle`.
      try {
        if (await leftovers.isFileUsed(fileId)) {
          await files.settle([fileId]);
          continue;
        }
        // A document of a split has the id of its first file.
        if (pagesIn !== undefined && !(await leftovers.isDocument(fileId))) await pagesOf(pagesIn).removeAll(fileId);
        await files.remove(fileId);
      } catch (error) {
        log.warn({ err: error, file_id: fileId }, 'a file of an interrupted upload was not removed');
      }
    }
  }

  return {
    /** Fails model runs whose process died, and removes files of interrupted uploads and splits. */
    async sweep(signal: AbortSignal): Promise<void> {
      try {
        const lost = await leftovers.failLostRuns(interrupted);
        if (lost > 0) log.warn({ documents: lost }, 'extractions were interrupted because their process died');
      } catch (error) {
        log.warn({ err: error }, 'an interrupted extraction could not be ended');
      }
      await removeUnsettledFiles(signal);
    },
    /** Purges documents after 30 days: of many this takes hours, for which no other sweep waits. */
    async purgeOld(signal: AbortSignal): Promise<void> {
      const failed: string[] = [];
      while (!signal.aborted) {
        const deleted = await leftovers.takeDeleted(new Date(Date.now() - trashRetentionMs), failed);
        if (deleted === undefined) return;
        try {
          await purge(deleted);
        } catch (error) {
          // The next sweep tries again. This one continues with the others.
          failed.push(deleted.documentId);
          log.warn({ err: error, document_id: deleted.documentId }, 'a deleted document was not removed');
        }
      }
    },
  };
}

/** The error of a document whose extraction was interrupted because its process died. */
export const interrupted = {
  code: 'extraction_interrupted',
  message: 'The server stopped while the extraction ran. Run it again.',
};
