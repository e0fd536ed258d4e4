import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct, type Product } from './product.ts';

const addressVariable = 'SHARED_PRODUCT_ADDRESS';
const host = '127.0.0.1';
export const password = 'correct horse battery';

/** A product for several test files; each has its own account and organization. */
export interface SharedProduct extends Pick<Product, 'url' | 'link' | 'dataDir'> {
  email: string;
  /** For requests without a browser. */
  accessToken: string;
  /** Gives the product back: it outlives the test file. */
  stop(): Promise<void>;
}

/** A model of a test, which serves the OpenAI API. */
interface TestModel {
  /** With `/v1`. */
  url: string;
}

/** A running product that one test file at a time has, with its own model. */
interface Slot {
  product: Promise<Product>;
  /** The model of the test file that has it now. */
  model: string | undefined;
}

/**
 * Starts products for the first test files that need them, and ends them after the last one. A start costs more than many
 * tests, and a server that has answered requests before answers them in a third of the time.
 */
export async function setup(): Promise<() => Promise<void>> {
  const settings = { LOG_LEVEL: 'error', ALLOW_SIGNUP: 'true' };
  const withModels: Slot[] = [];
  let withDemoModel: Promise<Product> | undefined;
  let address = '';

  function lend(model: string): number {
    const free = withModels.findIndex((slot) => slot.model === undefined);
    const slot = free < 0 ? withModels.length : free;
    const ownModel = { LLM_BASE_URL: `${address}/models/${slot}/v1`, LLM_MODEL: 'paced', LLM_API_KEY: 'none' };
    withModels[slot] ??= { product: startProduct({ ...settings, ...ownModel }), model };
    withModels[slot].model = model;
    return slot;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', address);
    const [, first = '', second = '', ...rest] = pathname.split('/');
    if (first === 'models') return forward(request, response, withModels[Number(second)]?.model, rest.slice(1));
    if (first === 'sign-in') {
      // Browsers send cookies to all ports of a host.
      const headers = { location: searchParams.get('url') ?? '', 'set-cookie': searchParams.get('cookie') ?? '' };
      return void response.writeHead(302, headers).end();
    }
    if (first === 'give-back') {
      withModels[Number(second)]!.model = undefined;
      return void response.end();
    }
    const model = searchParams.get('model');
    const slot = model === null ? undefined : lend(model);
    withDemoModel ??= slot === undefined ? startProduct(settings) : undefined;
    const { url, dataDir } = await (slot === undefined ? withDemoModel! : withModels[slot]!.product);
    response.end(JSON.stringify({ url, dataDir, slot }));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  server.listen(0, host);
  await once(server, 'listening');
  address = `http://${host}:${(server.address() as AddressInfo).port}`;
  process.env[addressVariable] = address;
  return async () => {
    server.closeAllConnections();
    server.close();
    const products = [withDemoModel, ...withModels.map(({ product }) => product)];
    await Promise.all(products.map(async (product) => (await product)?.stop()));
  };
}

/** Sends a request of a product to the model of the test file that has the product. */
function forward(request: IncomingMessage, response: ServerResponse, model: string | undefined, path: string[]): void {
  if (model === undefined) return void response.writeHead(503).end();
  const { method = 'GET', headers } = request;
  const onward = httpRequest(`${model}/${path.join('/')}`, { method, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    response.flushHeaders();
    // A model that stops in the middle cuts the connection, as a real one would.
    pipeline(answered, response, () => undefined);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** Tests upload the same few files many times and expect each to be read. */
export async function keepDuplicates(url: string, organizationId: string, accessToken: string): Promise<void> {
  const kept = await fetch(`${url}/v0/orgs/${organizationId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ on_duplicate: 'keep' }),
  });
  if (!kept.ok) throw new Error(await kept.text());
}

/**
 * A shared product with a new account: with the demo model, or with a model of the test, which has the product alone until it
 * calls `stop`. Opening `link` signs a browser in, any number of times.
 */
export async function shareProduct({ model }: { model?: TestModel } = {}): Promise<SharedProduct> {
  const address = process.env[addressVariable];
  if (address === undefined)
    throw new Error('There is a shared product in a run of the tests alone: start one of your own.');
  const answer = await fetch(`${address}/${model === undefined ? '' : `?${queryOf({ model: model.url })}`}`);
  if (!answer.ok) throw new Error(await answer.text());
  const { url, dataDir, slot } = (await answer.json()) as { url: string; dataDir: string; slot?: number };
  // On a very busy machine, the database can be late for a moment.
  while (!(await fetch(`${url}/ready`)).ok) await sleep(200);
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const registered = await fetch(`${url}/v0/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name: 'Ada', password }),
  });
  if (!registered.ok) throw new Error(await registered.text());
  const { access_token: accessToken, organization } = (await registered.json()) as {
    access_token: string;
    organization: { id: string };
  };
  await keepDuplicates(url, organization.id, accessToken);
  const link = `${address}/sign-in?${queryOf({ url, cookie: registered.headers.getSetCookie()[0] ?? '' })}`;
  return {
    url,
    link,
    dataDir,
    email,
    accessToken,
    stop: async () => void (slot === undefined || (await fetch(`${address}/give-back/${slot}`, { method: 'POST' }))),
  };
}

function queryOf(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString();
}
