import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProduct, type Product } from './product.ts';

const addressVariable = 'SHARED_PRODUCT_ADDRESS';
const host = '127.0.0.1';
export const password = 'correct horse battery';

/** One product for several test files; each has its own account and organization. */
export interface SharedProduct extends Pick<Product, 'url' | 'link'> {
  email: string;
  /** For requests without a browser. */
  accessToken: string;
  /** Does nothing: the product outlives the test file. */
  stop(): Promise<void>;
}

/**
 * Starts the product for the first test file that needs it, and ends it after the last one. A start costs more than many
 * tests.
 */
export async function setup(): Promise<() => Promise<void>> {
  let product: Promise<Product> | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
    product ??= startProduct({ LOG_LEVEL: 'error', ALLOW_SIGNUP: 'true' });
    const send = ({ url }: Product) => {
      if (pathname !== '/sign-in') return response.end(url);
      // Browsers send cookies to all ports of a host.
      response.writeHead(302, { location: url, 'set-cookie': searchParams.get('cookie') ?? '' });
      return response.end();
    };
    product.then(send, (error: Error) => response.writeHead(500).end(error.message));
  });
  server.listen(0, host);
  await once(server, 'listening');
  process.env[addressVariable] = `http://${host}:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.closeAllConnections();
    server.close();
    await (await product)?.stop();
  };
}

/** The shared product with a new account. Opening `link` signs a browser in, any number of times. */
export async function shareProduct(): Promise<SharedProduct> {
  const address = process.env[addressVariable];
  if (address === undefined)
    throw new Error('There is a shared product in a run of the tests alone: start one of your own.');
  const answer = await fetch(address);
  const url = await answer.text();
  if (!answer.ok) throw new Error(url);
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const registered = await fetch(`${url}/v0/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name: 'Ada', password }),
  });
  if (!registered.ok) throw new Error(await registered.text());
  const { access_token: accessToken } = (await registered.json()) as { access_token: string };
  const cookie = registered.headers.getSetCookie()[0] ?? '';
  const link = `${address}/sign-in?${new URLSearchParams({ cookie }).toString()}`;
  return { url, link, email, accessToken, stop: async () => undefined };
}
