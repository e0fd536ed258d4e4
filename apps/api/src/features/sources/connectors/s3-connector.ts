import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type S3Config } from '@docwright/contract';
import { addressOfObject, signedHeaders, type S3Credentials } from '../../../platform/s3/s3-requests.ts';
import { filesPerBatch, readLimited, refusedHost, type Connector, type FoundFile } from './connector.ts';

interface S3Dependencies {
  /** Connects only to addresses that the guard allows. */
  guardedFetch: typeof fetch;
  credentials: () => Promise<S3Credentials>;
  maxFileBytes: number;
}

const maxListingBytes = 4 * 1024 * 1024;
const timeoutMs = 60_000;
/** The slowest that a server may send an object. */
const bytesPerMs = 128;
const attempts = 4;
const firstPauseMs = 300;

/** Objects of a bucket. They are listed in the order of their keys, and a listing that breaks goes on after the last key. */
export function createS3Connector(
  config: S3Config,
  { guardedFetch, credentials, maxFileBytes }: S3Dependencies,
): Connector {
  const { endpoint, region, bucket, prefix, path_style } = config;
  const place = { endpoint, region, bucket, isPathStyle: path_style };

  /** Repeated at growing pauses while the server is busy or cannot be reached. */
  async function ask(url: URL, method: 'GET' | 'HEAD', signal?: AbortSignal, expectedBytes = 0): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const headers = await signedHeaders(url, { method, region, credentials: await credentials() });
      try {
        const limit = AbortSignal.timeout(timeoutMs + Math.ceil(expectedBytes / bytesPerMs));
        const response = await guardedFetch(url, {
          method,
          headers,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        });
        if (response.status < 500 && response.status !== 429) return response;
        await response.body?.cancel();
        if (attempt >= attempts)
          throw failed('source_unavailable', `The server of the bucket answers with ${response.status}.`);
      } catch (error) {
        signal?.throwIfAborted();
        const refused = refusedHost(error);
        if (refused) throw refused;
        if (error instanceof DomainError) throw error;
        if (attempt >= attempts)
          throw failed('source_unavailable', 'The server of the bucket cannot be reached. Check the endpoint.');
      }
      await sleep(firstPauseMs * 3 ** (attempt - 1), undefined, { signal });
    }
  }

  async function page(startAfter: string, signal?: AbortSignal): Promise<{ files: FoundFile[]; isLast: boolean }> {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(filesPerBatch),
      ...(prefix !== '' && { prefix }),
      ...(startAfter !== '' && { 'start-after': startAfter }),
    };
    const response = await ask(addressOfObject(place, '', query), 'GET', signal);
    const text = (await readLimited(response, maxListingBytes)).toString('utf8');
    if (response.status !== 200) throw refusal(response.status, text);
    return readListing(text);
  }

  return {
    async *list(signal) {
      const requireProgress = progressOf();
      let after = '';
      for (;;) {
        signal.throwIfAborted();
        const { files, isLast } = await page(after, signal);
        requireProgress(files.length);
        // Folders of consoles are objects without content.
        const found = files.filter(({ identity }) => !identity.endsWith('/'));
        if (found.length > 0) yield found;
        const last = files.at(-1)?.identity;
        if (isLast || last === undefined) return;
        // Keys come in order; one that comes back would be listed for ever.
        if (after !== '' && isFrom(after, last)) throw repeating();
        after = last;
      }
    },
    async read({ identity, size, version }) {
      if (identity.split('/').some((part) => part === '.' || part === '..')) {
        throw failed('key_unusable', 'The key has a part “.” or “..”, which no address can have. Rename the object.');
      }
      // A listing can name any size.
      const expectedBytes = size > 0 ? Math.min(size, maxFileBytes) : 0;
      const response = await ask(addressOfObject(place, identity), 'GET', undefined, expectedBytes);
      if (response.status !== 200 || etagOf(response.headers.get('etag')) !== version) {
        await response.body?.cancel();
        // It is gone or another one since it was listed.
        if (response.status === 404 || response.status === 200) return undefined;
        throw refusal(response.status, '');
      }
      const name = identity.slice(identity.lastIndexOf('/') + 1);
      return [{ name, bytes: await readLimited(response, maxFileBytes) }];
    },
    async check(signal) {
      await page('', signal);
    },
    async existing(identities, signal) {
      const wanted = new Set(identities);
      const [first, last] = [identities[0], identities.at(-1)];
      const there = new Set<string>();
      if (first === undefined || last === undefined) return there;
      // The listing starts after a key, so the first one is asked for by itself.
      const head = await ask(addressOfObject(place, first), 'HEAD', signal);
      if (head.status === 200) there.add(first);
      const requireProgress = progressOf();
      for (let after = first; ;) {
        const { files, isLast } = await page(after, signal);
        requireProgress(files.length);
        for (const { identity } of files) if (wanted.has(identity)) there.add(identity);
        const next = files.at(-1)?.identity;
        if (isLast || next === undefined || isFrom(next, last)) return there;
        // Files that such a server does not list are not gone.
        if (isFrom(after, next)) throw repeating();
        after = next;
      }
    },
    async close() {},
  };
}

/** Whether a key comes at another one or after it in a listing. */
const isFrom = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) >= 0;

/** Pages that can have few keys. */
const maxSmallPages = 200;
const keysOfPage = 5;

/** Refuses a listing of many pages with hardly a key in each, which could go on for ever. */
function progressOf(): (keys: number) => void {
  let [pages, all] = [0, 0];
  return (keys) => {
    pages += 1;
    all += keys;
    if (pages > maxSmallPages && all < pages * keysOfPage) throw repeating();
  };
}

function repeating(): DomainError {
  return failed(
    'source_unavailable',
    'The server of the bucket lists keys again and again, or hardly any at a time. Check the endpoint.',
  );
}

function etagOf(text: string | null | undefined): string {
  return text?.replaceAll('"', '') ?? '';
}

/**
 * Reads one page of a listing, whose elements have no namespace and no CDATA. A parser of XML would take minutes for what a
 * hostile server can send, and every user of the process would wait for it.
 */
function readListing(text: string): { files: FoundFile[]; isLast: boolean } {
  const isUrl = textOf(text, 'EncodingType') === 'url';
  const files: FoundFile[] = [];
  let at = text.indexOf('<Contents>');
  for (; at >= 0 && files.length < filesPerBatch; at = text.indexOf('<Contents>', at)) {
    const end = text.indexOf('</Contents>', at);
    const entry = text.slice(at, end < 0 ? text.length : end);
    at += entry.length;
    files.push({
      identity: keyOf(textOf(entry, 'Key'), isUrl),
      size: Number(textOf(entry, 'Size')),
      version: etagOf(textOf(entry, 'ETag')),
    });
  }
  // A server that sends more than was asked for is asked for the rest.
  return { files, isLast: at < 0 && textOf(text, 'IsTruncated') !== 'true' };
}

/** A key has at most 1,024 bytes, of which each can be written with several characters. */
const maxTextLength = 10_000;

/** The text of the first element of this name. */
function textOf(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return '';
  const from = start + name.length + 2;
  const end = xml.indexOf('<', from);
  return xml
    .slice(from, Math.min(end < 0 ? xml.length : end, from + maxTextLength))
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/giu, (_, decimal, hex, named) =>
      named === undefined
        ? characterOf(decimal === undefined ? `0x${hex}` : String(decimal))
        : (namedCharacters[String(named).toLowerCase()] ?? ''),
    );
}

const namedCharacters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function characterOf(code: string): string {
  const point = Number(code);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
}

function keyOf(key: string, isUrl: boolean): string {
  if (!isUrl) return key;
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

function refusal(status: number, text: string): DomainError {
  const code = /<Code>(\w{1,60})<\/Code>/u.exec(text)?.[1] ?? '';
  if (status === 404)
    return failed('bucket_missing', 'There is no such bucket. Check its name, the endpoint and path style.');
  if (status === 403 || status === 401) {
    const why = code === '' ? '' : ` (${code})`;
    return failed(
      'source_refused',
      `The server refuses the key${why}. Check the key, the region and what the key may do.`,
    );
  }
  return failed(
    'source_unavailable',
    `The server of the bucket answers with ${status}${code === '' ? '' : ` (${code})`}. Check the settings.`,
  );
}

function failed(
  code: 'source_refused' | 'source_unavailable' | 'bucket_missing' | 'key_unusable' | 'source_host_refused',
  message: string,
) {
  return new DomainError('invalid', code, message);
}
