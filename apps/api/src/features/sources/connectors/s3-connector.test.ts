import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { s3Config, type S3Config } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../testing/dovecot.ts';
import { describeConnector } from '../testing/connector-suite.ts';
import { signedHeaders } from '../../../platform/s3/s3-requests.ts';
import { etagOf, s3Key, startS3Server, type S3Server } from '../../../testing/s3/s3-server.ts';
import { createS3Connector } from './s3-connector.ts';

const bucket = 'inbox-1';
const connectorTo = (endpoint: string, more: Partial<S3Config> = {}, secretAccessKey = s3Key.secretAccessKey) =>
  createS3Connector(s3Config.parse({ endpoint, bucket, path_style: true, access_key_id: s3Key.accessKeyId, ...more }), {
    guardedFetch: fetch,
    credentials: async () => ({ ...s3Key, secretAccessKey }),
    maxFileBytes: 1_000_000,
  });

// The examples of “Signature Calculations for the Authorization Header” in the documentation of Amazon S3.
it.each([
  ['GET Bucket Lifecycle', '/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['List Objects', '/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('signs as AWS does: %s', async (_, address, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${address}`);
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  };
  const datetime = '20130524T000000Z';
  const signed = await signedHeaders(url, { method: 'GET', region: 'us-east-1', credentials, datetime });
  expect(signed.get('authorization')).toContain(`Signature=${signature}`);
});

describe('with a server that checks signatures', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server(bucket);
  });
  afterAll(() => server.stop());

  describeConnector('s3', {
    canChange: true,
    async open() {
      server.objects.clear();
      return connectorTo(server.url);
    },
    async put(name, text) {
      server.objects.set(`scans 2026/${name}`, text);
    },
    async remove(name) {
      server.objects.delete(`scans 2026/${name}`);
    },
  });

  async function names(more: Partial<S3Config> = {}) {
    const found: string[] = [];
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    for await (const batch of connectorTo(server.url, more).list(new AbortController().signal, ignored)) {
      found.push(...batch.map(({ identity }) => identity));
    }
    return found;
  }

  it('lists below its prefix only, and leaves out folders of consoles', async () => {
    server.objects.clear();
    for (const key of ['a/', 'a/one.pdf', 'b/two.pdf', 'a/b (c)!.pdf']) server.objects.set(key, key);
    expect(await names({ prefix: 'a/' })).toEqual(['a/b (c)!.pdf', 'a/one.pdf']);
  });

  it('goes on after the last key when a listing breaks', async () => {
    server.objects.clear();
    for (let at = 0; at < 1_200; at += 1) server.objects.set(`${at}`.padStart(5, '0'), `${at}`);
    server.requests.length = 0;
    server.failures.push(503);
    const connector = connectorTo(server.url);
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    const found: string[] = [];
    for await (const batch of connector.list(new AbortController().signal, ignored)) {
      found.push(...batch.map(({ identity }) => identity));
      if (found.length === 500) server.failures.push(500);
    }
    expect(found).toHaveLength(1_200);
    expect(server.requests).toHaveLength(5);
    expect(server.requests.at(-1)).toContain('start-after=00999');
  });

  it('says what is wrong', async () => {
    const code = async (connector: ReturnType<typeof connectorTo>) =>
      connector.check().then(
        () => 'none',
        (error: { code: string }) => error.code,
      );
    expect(await code(connectorTo(server.url, {}, 'another secret'))).toBe('source_refused');
    expect(await code(connectorTo(server.url, { bucket: 'nothing-here' }))).toBe('bucket_missing');
    expect(await code(connectorTo('http://127.0.0.1:9'))).toBe('source_unavailable');
    const up = { identity: 'a/../b', size: 1, version: '' };
    await expect(connectorTo(server.url).read(up)).rejects.toMatchObject({ code: 'key_unusable' });
    server.objects.set('large', 'x'.repeat(1_000_001));
    await expect(
      connectorTo(server.url).read({ identity: 'large', size: 1, version: etagOf('x'.repeat(1_000_001)) }),
    ).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

describe('a hostile server', () => {
  let answer = '';
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const entry = (at: number) =>
    `<Contents><Key>k%26${at}&amp;&#65;</Key><Size>1</Size><ETag>&quot;e&quot;</ETag></Contents>`;
  const listing = (entries: string, isTruncated = false) =>
    `<ListBucketResult><EncodingType>url</EncodingType>${entries}<IsTruncated>${isTruncated}</IsTruncated></ListBucketResult>`;
  async function first() {
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    for await (const batch of connectorTo(url).list(new AbortController().signal, ignored)) return batch;
    return [];
  }

  it.each([
    ['nested elements', () => '<a>'.repeat(1_300_000)],
    ['open entries', () => '<Contents>'.repeat(400_000)],
    ['many entries', () => listing(Array.from({ length: 45_000 }, (_, at) => entry(at)).join(''))],
    ['references to characters', () => listing(`<Contents><Key>${'&amp;'.repeat(750_000)}</Key></Contents>`)],
  ])('blocks nobody with %s', { retry: 2 }, async (_name, make) => {
    answer = make();
    const started = process.threadCpuUsage();
    await first();
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(300);
  });

  it('says so where an answer breaks off', async () => {
    const broken = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('<ListBucketResult>');
      setTimeout(() => response.destroy(), 20);
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    await expect(connectorTo(at).check()).rejects.toMatchObject({ code: 'source_unavailable' });
    broken.close();
  });

  it('has as long for a large object as a slow line takes', async () => {
    const limits: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      limits.push(milliseconds);
      return new AbortController().signal;
    });
    answer = 'Total: 5';
    for (const size of [8, 900_000, Number.NaN]) await connectorTo(url).read({ identity: 'a', size, version: '' });
    expect(limits).toEqual([60_001, 67_032, 60_000]);
    vi.restoreAllMocks();
  });

  it('gives no more keys at once than were asked for, and the same ones once', async () => {
    answer = listing(Array.from({ length: 2_000 }, (_, at) => entry(at)).join(''), true);
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    const found: string[] = [];
    const all = async () => {
      for await (const batch of connectorTo(url).list(new AbortController().signal, ignored)) {
        found.push(...batch.map(({ identity, version }) => `${identity} ${version}`));
      }
    };
    await expect(all()).rejects.toMatchObject({ code: 'source_unavailable' });
    expect(found.slice(0, 2)).toEqual(['k&0&A e', 'k&1&A e']);
    expect(found).toHaveLength(1_000);
  });
});

describe('a hostile server that lists without end what is asked for again', () => {
  let keyAfter: (after: string) => string;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const after = new URL(request.url ?? '', 'http://s3').searchParams.get('start-after') ?? '';
      const contents = `<Contents><Key>${keyAfter(after)}</Key><Size>1</Size><ETag>e</ETag></Contents>`;
      response.end(`<ListBucketResult>${contents}<IsTruncated>true</IsTruncated></ListBucketResult>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('is left where it goes back', async () => {
    keyAfter = (after) => (after === 'b' ? 'c' : 'b');
    const { signal } = new AbortController();
    await expect(connectorTo(url).existing(['a', 'z'], signal)).rejects.toMatchObject({ code: 'source_unavailable' });
  });

  const listAll = async () => {
    const ignored = { onProblem: () => undefined, onUnsettled: () => undefined };
    let count = 0;
    for await (const batch of connectorTo(url).list(new AbortController().signal, ignored)) count += batch.length;
    return count;
  };

  it('is left where its listing goes round', async () => {
    keyAfter = (after) => (after === 'a' ? 'b' : 'a');
    await expect(listAll()).rejects.toMatchObject({ code: 'source_unavailable' });
  });

  it('is left where it lists a key at a time', async () => {
    let pages = 0;
    keyAfter = () => String((pages += 1)).padStart(9, '0');
    await expect(listAll()).rejects.toMatchObject({ code: 'source_unavailable' });
    await expect(connectorTo(url).existing(['0', '9'], new AbortController().signal)).rejects.toMatchObject({
      code: 'source_unavailable',
    });
  });

  it('is left where the sync ends', async () => {
    const sync = new AbortController();
    let pages = 0;
    keyAfter = () => {
      pages += 1;
      if (pages === 3) sync.abort();
      return 'b'.repeat(pages);
    };
    await expect(connectorTo(url).existing(['a', 'z'], sync.signal)).rejects.toThrow('abort');
  });
});

/** The S3 server of moto, where it is installed: `pip install 'moto[server,s3]'`. */
function motoServer(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v moto_server'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
const moto = motoServer();

describe.runIf(moto !== undefined)('with the S3 server of moto', () => {
  let child: ChildProcess;
  let endpoint: string;
  async function send(method: string, path: string, body?: string): Promise<Response> {
    const url = `${endpoint}/${bucket}/${path}`;
    const signed = await new AwsV4Signer({ url, method, ...s3Key, service: 's3', region: 'us-east-1' }).sign();
    return await fetch(url, { method, headers: signed.headers, ...(body !== undefined && { body }) });
  }
  beforeAll(async () => {
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    child = spawn(moto ?? '', ['-p', String(port)], { stdio: 'ignore' });
    for (let looks = 0; looks < 150; looks += 1) {
      if (
        await fetch(endpoint).then(
          () => true,
          () => false,
        )
      )
        break;
      await sleep(100);
    }
  }, 20_000);
  afterAll(() => void child.kill());

  describeConnector('s3 (moto)', {
    canChange: true,
    async open() {
      await fetch(`${endpoint}/moto-api/reset`, { method: 'POST' });
      await send('PUT', '');
      return connectorTo(endpoint);
    },
    async put(name, text) {
      await send('PUT', encodeURIComponent(name), text);
    },
    async remove(name) {
      await send('DELETE', encodeURIComponent(name));
    },
  });
});
