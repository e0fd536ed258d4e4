import { DomainError } from '@docwright/contract';
import type { OwnedBytes, StoredBytes } from './stored-bytes.ts';

/** The limit of what an organization stores. What removes data is never asked. */
export type StorageLimit = ReturnType<typeof createStorageLimit>;

/** Bytes that are counted before they are stored. */
export interface ReservedBytes {
  /** They are stored. */
  giveTo(parts: readonly OwnedBytes[]): Promise<void>;
  /** They were not stored. */
  giveBack(): Promise<void>;
}

/** @param maxBytes of one organization; undefined: no limit */
export function createStorageLimit(storedBytes: StoredBytes, maxBytes: number | undefined) {
  /** Throws `storage_limit_reached` if so many more bytes are beyond the limit. */
  async function requireRoom(organizationId: string, bytes = 1): Promise<void> {
    if (maxBytes === undefined) return;
    const stored = await storedBytes.stored(organizationId);
    if (stored + bytes > maxBytes) throw limitReached(stored, bytes, maxBytes);
  }
  return {
    maxBytes,
    /** The bytes that the organization stores. */
    stored: (organizationId: string): Promise<number> => storedBytes.stored(organizationId),
    requireRoom,
    /** Throws `storage_limit_reached`. Of several at once, none can exceed the limit with the others. */
    async reserve(organizationId: string, bytes: number): Promise<ReservedBytes> {
      if (maxBytes === undefined) {
        return {
          async giveTo(parts) {
            for (const part of parts) storedBytes.add(organizationId, part.owner, part.bytes);
          },
          giveBack: async () => undefined,
        };
      }
      await requireRoom(organizationId, bytes);
      const reserved = await storedBytes.reserve(organizationId, bytes);
      try {
        await requireRoom(organizationId, 0);
      } catch (error) {
        await reserved.giveBack();
        throw error;
      }
      return reserved;
    },
  };
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 });

function limitReached(stored: number, more: number, max: number): DomainError {
  const needs = more > 1 ? `, and this needs ${megabytes(more)} MB more` : '';
  return new DomainError(
    'storage_full',
    'storage_limit_reached',
    `The organization stores ${megabytes(stored)} of ${megabytes(max)} MB${needs}. Delete documents and empty the trash, or ask the operator to raise MAX_STORAGE_MB.`,
    { stored_bytes: stored, stored_bytes_limit: max },
  );
}
