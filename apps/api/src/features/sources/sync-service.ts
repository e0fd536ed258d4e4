import { createHash } from 'node:crypto';
import path from 'node:path';
import { DomainError, type SourceSync } from '@docwright/contract';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import type { HeldLease } from '../../platform/leases/leased-work.ts';
import type { UploadService } from '../documents/index.ts';
import type { Connector, FoundFile } from './connectors/folder-connector.ts';
import type { KnownFile, SourceFileRepository } from './source-file-repository.ts';

export interface SyncedSource {
  id: string;
  organizationId: string;
  /** Uploads are in the name of the member who made the source. */
  createdBy: string;
  tagIds: string[];
  autoCreate: boolean | undefined;
}

interface SyncDependencies {
  filesOf: (organizationId: string, sourceId: string) => SourceFileRepository;
  uploads: UploadService;
}

/** Takes the new and changed files of a source, once each. A killed sync is repeated and goes on where it was. */
export type SyncSource = (
  source: SyncedSource,
  connector: Connector,
  lease: Pick<HeldLease, 'signal' | 'requireHeld'>,
) => Promise<Pick<SourceSync, 'counts' | 'errors'>>;

const maxErrors = 20;
const batchSize = 500;

export function createSync({ filesOf, uploads }: SyncDependencies): SyncSource {
  return async (source, connector, { signal, requireHeld }) => {
    const files = filesOf(source.organizationId, source.id);
    const actor = { organizationId: source.organizationId, userId: source.createdBy, role: 'member' as const };
    const counts = { seen: 0, taken: 0, unchanged: 0, missing: 0, failed: 0 };
    const errors: SourceSync['errors'] = [];
    const fail = (file: string, error: unknown) => {
      counts.failed += 1;
      const reason = error instanceof DomainError ? error : unreadable();
      if (errors.length < maxErrors) errors.push({ file, code: reason.code, message: reason.message });
    };

    async function take(file: FoundFile, former: KnownFile | undefined): Promise<void> {
      const bytes = await connector.read(file);
      if (bytes === undefined) return;
      const hash = createHash('sha256').update(bytes).digest('hex');
      const source_key = createHash('sha256').update(`${source.id}\0${file.identity}\0${hash}`).digest('hex');
      const note = (documentId: string) => files.note(file, documentId, former);
      const before = await files.documentOf(source_key);
      if (before !== undefined) return note(before);
      const upload = uploads(actor);
      try {
        const stored = await upload.store(path.posix.basename(file.identity), bytes);
        await requireHeld();
        const [document] = await upload.finish([
          {
            ...stored,
            tag_ids: source.tagIds,
            metadata: {},
            auto_create: source.autoCreate,
            source: { source_id: source.id, source_key, ...(former && { replaces: former.documentId }) },
          },
        ]);
        if (document) await note(document.id);
        counts.taken += 1;
      } catch (error) {
        await upload.abandon();
        // Another sync, which has lost its lease, took it at the same time.
        const taken = isDuplicateKey(error) ? await files.documentOf(source_key) : refusedFor(error);
        if (taken === undefined) throw error;
        await note(taken);
      }
    }

    const presentBefore = await files.countPresent();
    let present = 0;
    for await (const batch of connector.list(signal, fail)) {
      const known = await files.known(batch.map(({ identity }) => identity));
      for (const file of batch) {
        signal.throwIfAborted();
        counts.seen += 1;
        const former = known.get(file.identity);
        if (former && !former.is_missing) present += 1;
        if (former?.version === file.version) {
          if (former.is_missing) await files.setMissing(former, null);
          counts.unchanged += 1;
          continue;
        }
        try {
          await take(file, former);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof DomainError) && !isFileError(error)) throw error;
          fail(file.identity, error);
        }
      }
    }
    // Only if files are missing, all are looked up.
    if (present < presentBefore) {
      let after = '';
      for (
        let rest = await files.present(after, batchSize);
        rest.length > 0;
        rest = await files.present(after, batchSize)
      ) {
        for (const file of rest) {
          after = file.identity;
          signal.throwIfAborted();
          if (await connector.has(file.identity)) continue;
          await files.setMissing(file, new Date());
          counts.missing += 1;
        }
      }
    }
    return { counts, errors };
  };
}

/** The document that an upload was refused for, because it has the same bytes. */
function refusedFor(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || error.code !== 'duplicate') return undefined;
  return (error.details as { document_id?: string } | undefined)?.document_id;
}

/** An error of the file system about one file. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadable(): DomainError {
  return new DomainError('invalid', 'file_unreadable', 'The file or folder cannot be read. Check its rights.');
}
