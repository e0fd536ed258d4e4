import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { reasonOfFetch } from '../../client/docwright-error.ts';
import { sha256Of } from './checksum.ts';

const pypi = 'https://pypi.org/simple';

/** Finds the URL of a file of a Python package in the index (`PIP_INDEX_URL`, default PyPI). */
export async function addressOf(
  packageName: string,
  file: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const index = `${(env['PIP_INDEX_URL'] || pypi).replace(/\/+$/u, '')}/${packageName}/`;
  const response = await ask(index, { signal, headers: { accept: 'text/html' } });
  if (!response.ok)
    throw new Error(
      `${index} answered ${response.status}. Download ${file} from another place and name it with --from.`,
    );
  const page = await response.text();
  const links = [...page.matchAll(/href="([^"]+)"/gu)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  const link = links.find((one) => new URL(one, index).pathname.endsWith(`/${file}`));
  if (link === undefined)
    throw new Error(`${index} does not list ${file}. Download it from another place and name it with --from.`);
  return new URL(link, response.url).href;
}

/** Fetches, and says whose answer is missing and why. */
async function ask(url: string, options: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (options.signal.aborted) throw error;
    throw new Error(`No answer from ${url} (${reasonOfFetch(error)}).`, { cause: error });
  }
}

export interface Download {
  url: string;
  to: string;
  bytes: number;
  sha256: string;
  signal: AbortSignal;
  progress: (done: number) => void;
}

/** Downloads a file, or resumes an interrupted download. A file with a wrong checksum is deleted. */
export async function download({ url, to, bytes, sha256, signal, progress }: Download): Promise<void> {
  const part = `${to}.part`;
  const received = await sizeOf(part);
  if (received < bytes) {
    const response = await ask(url, { signal, headers: received > 0 ? { range: `bytes=${received}-` } : {} });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`);
    const isRest = response.status === 206;
    let done = isRest ? received : 0;
    const counted = Readable.fromWeb(response.body as ReadableStream<Uint8Array>).on('data', (chunk: Uint8Array) => {
      done += chunk.length;
      progress(done);
    });
    await pipeline(counted, createWriteStream(part, { flags: isRest ? 'a' : 'w' }), { signal });
  }
  if ((await sha256Of(part)) !== sha256) {
    await rm(part);
    throw new Error(`The file from ${url} has the wrong checksum. Try again.`);
  }
  await rename(part, to);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
