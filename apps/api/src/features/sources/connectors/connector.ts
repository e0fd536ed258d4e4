import path from 'node:path';
import { DomainError, type SourceConnector } from '@docwright/contract';

/** A file of a source, before it is read. */
export interface FoundFile {
  /** The same for every sight of one file: a path, a key, the place of a mail. */
  identity: string;
  size: number;
  /** Changes whenever the content might have. */
  version: string;
}

/** A file that becomes a document. */
export interface TakenFile {
  name: string;
  bytes: Uint8Array;
  /** Which of several in one file, for a mail's. */
  part?: string;
  /**
   * What the content is recognized by within the source, in place of the file's identity. A mail that was moved, or whose
   * folder was numbered anew, has another identity and is the same mail.
   */
  sameAs?: string;
  metadata?: Record<string, unknown>;
  /** Default: true. With false, files inside of it are no documents. */
  includesAttachments?: boolean;
  /** Why this one is no document; its bytes are empty. */
  problem?: DomainError;
  /** Names of tags for it. */
  tagNames?: string[];
}

/** Files in a row that are in a listing, the most that a caller has to keep in memory. */
export const filesPerBatch = 500;

interface ListCallbacks {
  /** Called for what it cannot see. */
  onProblem: (file: string, error: unknown) => void;
  /** Called for a file that is still being written: when to look again. */
  onUnsettled: (milliseconds: number) => void;
}

/** Where a source takes its files from. Each kind is one file here, and passes the suite in `connector-suite.ts`. */
export interface Connector {
  /** All files that are complete, at most `filesPerBatch` at a time. */
  list(signal: AbortSignal, callbacks: ListCallbacks): AsyncGenerator<FoundFile[]>;
  /** What the file holds; undefined if it has changed since it was found, so that the next sync takes it. */
  read(file: FoundFile): Promise<TakenFile[] | undefined>;
  /** Throws if it cannot be read at all. An abort ends the connection. */
  check(signal?: AbortSignal): Promise<void>;
  /** Which of these files, in the order of their identities, still exist. */
  existing(identities: readonly string[], signal: AbortSignal): Promise<Set<string>>;
  /**
   * Does what is wanted with a file that has become documents; repeating it does nothing. Tells whether the file is still
   * in its place. Without it, files stay as they are.
   */
  settle?: ((file: FoundFile) => Promise<'kept' | 'gone'>) | undefined;
  /** Calls `onChange` when files may have changed, until the returned function is called. It can miss changes. */
  watch?(onChange: () => void): Promise<() => void>;
  /** Ends what it holds open. */
  close(): Promise<void>;
}

/** The body of an answer. Throws `file_too_large` beyond the limit, also if the answer announced a smaller size. */
export async function readLimited(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) {
        const message = `It is over the ${Math.floor(maxBytes / 1024 / 1024)} MB limit.`;
        throw new DomainError('too_large', 'file_too_large', message);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError(
      'invalid',
      'source_unavailable',
      'The server broke off its answer, or sent it too slowly. Try again, or check the server.',
    );
  }
  return Buffer.concat(chunks);
}

/** The error for a host that the guard refuses, in words about sources; undefined for any other error. */
export function refusedHost(error: unknown): DomainError | undefined {
  const cause = error instanceof DomainError ? error : error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof DomainError)) return undefined;
  if (cause.code === 'redirect_refused') {
    const message = 'The host of the source answers with a redirect, which is not followed. Check its address.';
    return new DomainError('invalid', 'source_host_refused', message);
  }
  if (cause.code !== 'address_refused') return undefined;
  const message =
    'The host of the source is private or leads to a private address. The operator can allow it in LLM_ALLOWED_HOSTS.';
  return new DomainError('invalid', 'source_host_refused', message);
}

/** Where files have the names that they are known by; a mail's has its account and folder. */
export function placeOfConnector({ kind, config }: SourceConnector): string {
  if (kind === 'folder') return JSON.stringify([kind, path.posix.normalize(`${config.path}/`)]);
  if (kind === 's3') return JSON.stringify([kind, new URL(config.endpoint).origin, config.bucket]);
  return JSON.stringify([kind, config.host]);
}
