import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProduct, type Product } from './product.ts';

const addressVariable = 'SHARED_PRODUCT_ADDRESS';
const host = '127.0.0.1';
export const password = 'correct horse battery';

/** A product that several test files use at the same time, each with an account and an organization of its own. */
export interface SharedProduct extends Pick<Product, 'url' | 'link'> {
  email: string;
  /** For requests without a browser. */
  accessToken: string;
  /** The product outlives the test file: this does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the product when the first test file asks for it, and ends it after the last. A start costs more than many of the
 * tests that need one.
 */
export async function setup(): Promise<() => Promise<void>> {
  let product: Promise<Product> | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
    product ??= startProduct({ LOG_LEVEL: 'error', ALLOW_SIGNUP: 'true' });
    const send = ({ url }: Product) => {
      if (pathname !== '/sign-in') return response.end(url);
      // Cookies are those of a host, whatever its port.
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

/** The shared product with a new account. A browser that opens `link` is signed in, as often as it is opened. */
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
