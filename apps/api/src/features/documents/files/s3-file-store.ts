import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@docwright/contract';
import type { FilesPlace } from '../../../platform/s3/files-url.ts';
import type { Settings } from '../../../platform/settings/settings.ts';
import {
  addressOfObject,
  createMachineRole,
  signedHeaders,
  type S3Credentials,
} from '../../../platform/s3/s3-requests.ts';
import { FileMissing, type FileStore } from './file-store.ts';

interface S3FileStoreOptions {
  credentials: () => Promise<S3Credentials>;
  /** Called when the bytes of a removed file stay in the bucket as a former version. */
  onKept?: (id: string) => void;
}

/** What is sent as the body of a request: opened anew for each try. */
interface Sent {
  bytes: number;
  /** In hexadecimal digits. The server refuses other bytes. */
  sha256: string;
  open: () => Uint8Array | AsyncIterable<Uint8Array>;
}

/** Files in a bucket of an S3-compatible server, each under its id. */
export interface S3FileStore extends FileStore {
  /** Stores a file of any size without holding it in memory. */
  putStream(id: string, sent: Sent): Promise<void>;
  /** The number of bytes; undefined if the file does not exist. */
  size(id: string): Promise<number | undefined>;
  /** Whether the bucket keeps former versions of what is removed; undefined if the key may not ask. */
  keepsVersions(): Promise<boolean | undefined>;
  /** Throws `files_unavailable` if the bucket cannot be listed. */
  check(): Promise<void>;
}

const timeoutMs = 120_000;
const attempts = 4;
const firstPauseMs = 200;
const pieceBytes = 1024 * 1024;
/** An answer that is not a file is not longer. */
const maxTextBytes = 64 * 1024;

function createS3FileStore(place: FilesPlace, { credentials, onKept }: S3FileStoreOptions): S3FileStore {
  const addressOf = (id: string) => addressOfObject(place, `${place.prefix}${id}`);

  /** Repeated at growing pauses while the server is busy or cannot be reached. Throws `files_unavailable`. */
  async function ask<Answer>(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    url: URL,
    read: (response: Response) => Promise<Answer>,
    { sent, range }: { sent?: Sent; range?: string } = {},
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signing = { method, region: place.region, credentials: await credentials() };
        const headers = await signedHeaders(url, { ...signing, ...(sent && { sha256: sent.sha256 }) });
        if (range !== undefined) headers.set('range', range);
        const response = await fetch(url, {
          method,
          headers,
          redirect: 'error',
          // A large file may take a second for each megabyte.
          signal: AbortSignal.timeout(timeoutMs + Math.ceil((sent?.bytes ?? 0) / 1_000)),
          ...(sent && bodyOf(sent, headers)),
        });
        if (response.status < 500 && response.status !== 429) return await read(response);
        await response.body?.cancel();
        throw unavailable(`it answers with ${response.status}`);
      } catch (error) {
        if (error instanceof FileMissing || error instanceof Refused) throw error;
        if (attempt >= attempts)
          throw error instanceof DomainError ? error : unavailable('it cannot be reached', error);
      }
      await sleep(firstPauseMs * 3 ** (attempt - 1));
    }
  }

  const putStream = (id: string, sent: Sent) =>
    ask('PUT', addressOf(id), (response) => settled(response, [200]), { sent });

  return {
    put: (id, bytes) =>
      putStream(id, {
        bytes: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        open: () => bytes,
      }),
    putStream,
    read: (id) =>
      ask('GET', addressOf(id), async (response) => {
        if (response.status !== 200) return await failed(response);
        return Buffer.from(await response.arrayBuffer());
      }),
    async *open(id, { start, end }) {
      for (let at = start; at <= end; at += pieceBytes) {
        const last = Math.min(end, at + pieceBytes - 1);
        yield await ask(
          'GET',
          addressOf(id),
          async (response) => {
            if (response.status !== 206) return await failed(response);
            const bytes = Buffer.from(await response.arrayBuffer());
            if (bytes.byteLength !== last - at + 1) throw unavailable('it sends another range than was asked for');
            return bytes;
          },
          { range: `bytes=${at}-${last}` },
        );
      }
    },
    async remove(id) {
      const kept = await ask('DELETE', addressOf(id), async (response) => {
        await settled(response, [200, 204, 404]);
        return response.headers.get('x-amz-delete-marker') === 'true' || response.headers.has('x-amz-version-id');
      });
      if (kept) onKept?.(id);
    },
    size: (id) =>
      ask('HEAD', addressOf(id), async (response) => {
        if (response.status === 404) return undefined;
        await settled(response, [200]);
        return Number(response.headers.get('content-length'));
      }),
    keepsVersions: () =>
      ask('GET', addressOfObject(place, '', { versioning: '' }), async (response) => {
        const text = await textOf(response);
        // Once versions were kept, those of that time stay.
        return response.status === 200 ? /<Status>(Enabled|Suspended)<\/Status>/u.test(text) : undefined;
      }),
    check: () =>
      ask('GET', addressOfObject(place, '', { 'list-type': '2', 'max-keys': '1' }), (response) =>
        settled(response, [200]),
      ),
  };
}

/** The bucket of the settings, with its key or the machine's own role. Says of each removed file that is kept. */
export function createFilesBucket(
  { key, ...place }: NonNullable<Settings['files']>,
  log: { warn(fields: object, message: string): void },
): S3FileStore {
  const noRole = () => unavailable('there is no key: set FILES_ACCESS_KEY_ID, or give the machine a role');
  return createS3FileStore(place, {
    credentials: key === undefined ? createMachineRole(noRole) : async () => key,
    onKept: (id) =>
      log.warn(
        { file_id: id },
        'a file was removed for good, and the bucket keeps it as a former version of its object',
      ),
  });
}

function bodyOf({ open, bytes }: Sent, headers: Headers) {
  const body = open();
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  headers.set('content-length', String(bytes));
  return {
    body: Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream,
    duplex: 'half' as const,
  };
}

/** An answer that no repetition changes. */
class Refused extends DomainError {}

async function settled(response: Response, expected: number[]): Promise<void> {
  if (!expected.includes(response.status)) return await failed(response);
  await response.body?.cancel();
}

async function failed(response: Response): Promise<never> {
  const code = /<Code>(\w{1,60})<\/Code>/u.exec(await textOf(response))?.[1];
  if (response.status === 404 && code !== 'NoSuchBucket') throw new FileMissing('the file of a document is missing');
  const why = code === undefined ? '' : ` (${code})`;
  throw new Refused('not_ready', 'files_unavailable', messageOf(`it answers with ${response.status}${why}`));
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  return text.slice(0, maxTextBytes);
}

const messageOf = (why: string): string =>
  `The store of the files does not work: ${why}. Try again shortly, or ask the operator.`;

function unavailable(why: string, cause?: unknown): DomainError {
  const error = new DomainError('not_ready', 'files_unavailable', messageOf(why));
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** Whether the store of the files does not work. */
export const isFilesUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'files_unavailable';
