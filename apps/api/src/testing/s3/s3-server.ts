import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small server that speaks the part of S3 that the product uses, and checks each signature by a code of its own. */
export interface S3Server {
  url: string;
  objects: Map<string, string | Buffer>;
  /** Whether it says that former versions are kept. */
  keepsVersions: boolean;
  requests: string[];
  /** Answers to the next requests, in place of the right ones. */
  failures: number[];
  stop(): void;
}

export const s3Key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

export async function startS3Server(bucket: string): Promise<S3Server> {
  const objects = new Map<string, string | Buffer>();
  const state = { keepsVersions: false };
  const requests: string[] = [];
  const failures: number[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://s3');
    requests.push(`${request.method} ${request.url}`);
    const failure = failures.shift();
    if (failure !== undefined) return response.writeHead(failure).end();
    if (!isSigned(request, url)) {
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    const [, named, ...rest] = url.pathname.split('/');
    if (named !== bucket) return response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    const key = decodeURIComponent(rest.join('/'));
    if (key === '' && url.searchParams.has('versioning')) {
      const status = state.keepsVersions ? '<Status>Enabled</Status>' : '';
      return response.end(`<VersioningConfiguration>${status}</VersioningConfiguration>`);
    }
    if (key === '') return response.end(listing(objects, url.searchParams));
    if (request.method === 'PUT') {
      const sent = Buffer.concat(await request.toArray());
      const isWhole = createHash('sha256').update(sent).digest('hex') === request.headers['x-amz-content-sha256'];
      if (!isWhole || Number(request.headers['content-length']) !== sent.byteLength) {
        return response.writeHead(400).end('<Error><Code>XAmzContentSHA256Mismatch</Code></Error>');
      }
      objects.set(key, sent);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204, state.keepsVersions ? { 'x-amz-delete-marker': 'true' } : {}).end();
    }
    const text = objects.get(key);
    if (text === undefined) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.range ?? '') ?? [];
    if (from !== undefined && to !== undefined) {
      return response.writeHead(206).end(Buffer.from(text).subarray(Number(from), Number(to) + 1));
    }
    if (request.method === 'HEAD') response.setHeader('content-length', Buffer.byteLength(text));
    return response.writeHead(200, { etag: `"${etagOf(text)}"` }).end(request.method === 'HEAD' ? undefined : text);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    get keepsVersions() {
      return state.keepsVersions;
    },
    set keepsVersions(keeps) {
      state.keepsVersions = keeps;
    },
    requests,
    failures,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const etagOf = (text: string | Buffer) => createHash('md5').update(text).digest('hex');

function listing(objects: Map<string, string | Buffer>, query: URLSearchParams): string {
  const bytewise = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  const after = query.get('start-after') ?? '';
  const keys = [...objects.keys()]
    .toSorted(bytewise)
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && bytewise(key, after) > 0);
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1000));
  const contents = page.map((key) => {
    const text = objects.get(key) ?? '';
    const written = encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
    return `<Contents><Key>${written}</Key><ETag>&quot;${etagOf(text)}&quot;</ETag><Size>${text.length}</Size></Contents>`;
  });
  const start = '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
  const isTruncated = page.length < keys.length;
  return `${start}<EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

/** Signature Version 4 as its public description says, with the address as it was sent. */
function isSigned(request: IncomingMessage, url: URL): boolean {
  const [, credential = '', signedNames = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)$/u.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  const [id, day = '', region = '', service = '', end = ''] = credential.split('/');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const query = url.search.slice(1).split('&').filter(Boolean).toSorted().join('&');
  const headers = signedNames.split(';').map((name) => `${name}:${String(request.headers[name])}\n`);
  const hash = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, url.pathname, query, headers.join(''), signedNames, hash].join('\n');
  const scope = [day, region, service, end].join('/');
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hashed].join('\n');
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${s3Key.secretAccessKey}`);
  return id === s3Key.accessKeyId && hmac(key, text).toString('hex') === signature;
}
