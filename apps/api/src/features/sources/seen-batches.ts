import { createHash } from 'node:crypto';
import { filesPerBatch, type FoundFile } from './connectors/connector.ts';
import type { SourceFileRepository } from './source-file-repository.ts';

/**
 * What a source stores of a sync, so that an unchanged place costs the next one a comparison for each batch of files and
 * no query.
 */
export interface SeenBatches {
  /** Digests of batches whose files were all known, unchanged and in their place. */
  digests: string[];
  /** The number of files that are not missing, if the sync noted nothing. */
  files: number | null;
}

/** Beyond about five million files they are compared one by one. */
const maxDigests = 20_000;

/**
 * @param before What the last sync stored.
 * @param forget Removes that from the source, so that a killed process leaves nothing that no longer holds.
 */
export function createBatchMemory(before: SeenBatches | undefined, forget: () => Promise<void>) {
  const known = new Set(before?.digests);
  const kept = new Set<string>();
  let hasWritten = false;
  async function beforeWrite(): Promise<void> {
    if (hasWritten) return;
    hasWritten = true;
    if (before !== undefined) await forget();
  }
  return {
    /** Whether all files of the batch are as the sync before saw them. */
    isSeen(batch: readonly FoundFile[]): boolean {
      const digest = digestOf(batch);
      if (!known.has(digest)) return false;
      kept.add(digest);
      return true;
    },
    /** All files of the batch are known and unchanged. */
    keep: (batch: readonly FoundFile[]): void => void kept.add(digestOf(batch)),
    /** The repository; its first write makes the source forget the batches, which the write may concern. */
    guard: (files: SourceFileRepository): SourceFileRepository => ({
      ...files,
      async note(...args) {
        await beforeWrite();
        await files.note(...args);
      },
      async noteSettled(...args) {
        await beforeWrite();
        await files.noteSettled(...args);
      },
      async setMissing(...args) {
        await beforeWrite();
        await files.setMissing(...args);
      },
    }),
    /** What the source stores. */
    seen: (presentBefore: number): SeenBatches | undefined =>
      kept.size > maxDigests ? undefined : { digests: [...kept], files: hasWritten ? null : presentBefore },
  };
}

/**
 * The listing in batches that end at the same files each time: a file that is added or removed changes the batch that it is
 * in, and no other.
 */
export async function* inSteadyBatches(listing: AsyncIterable<FoundFile[]>): AsyncGenerator<FoundFile[]> {
  let batch: FoundFile[] = [];
  for await (const found of listing) {
    for (const file of found) {
      batch.push(file);
      if (batch.length < filesPerBatch && !isEnd(file.identity)) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** One file of 256, by its identity alone. */
function isEnd(identity: string): boolean {
  let hash = 0;
  for (let at = 0; at < identity.length; at += 1) hash = (Math.imul(hash, 31) + identity.charCodeAt(at)) | 0;
  // The last bits of such a hash follow the last characters.
  return ((hash >>> 16) & 255) === 0;
}

function digestOf(batch: readonly FoundFile[]): string {
  const hash = createHash('sha256');
  for (const { identity, version, size } of batch) hash.update(`${identity}\0${version}\0${size}\n`);
  return hash.digest('base64url').slice(0, 22);
}
