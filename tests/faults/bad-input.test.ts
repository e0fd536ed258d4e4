import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsAbout } from './bad-input/complaints.ts';
import { startFurnishedProduct, type FurnishedProduct } from './bad-input/furnished-product.ts';
import { oddRequests } from './bad-input/odd-requests.ts';
import { operationsOf, type OpenApiDocument, type Operation } from './bad-input/operations.ts';
import { createSender, type ReceivedAnswer, type Sender, type SentRequest } from './bad-input/send-request.ts';

const root = path.resolve(import.meta.dirname, '../..');
/**
 * `BAD_INPUT_SEED` selects other requests, and `BAD_INPUT_REQUESTS` sets their number for each route. 100,000 requests take
 * some hours and report their progress; run them with `nice`.
 */
const seed = Number(process.env['BAD_INPUT_SEED'] ?? 1042);
const requestsPerRoute = Number(process.env['BAD_INPUT_REQUESTS'] ?? 20);
const routesAtOnce = 4;
const isLarge = requestsPerRoute > 100;
const timeout = isLarge ? 12 * 3_600_000 : 120_000;
let sent = 0;

let product: FurnishedProduct;
let sender: Sender;
let operations: Operation[];
beforeAll(async () => {
  product = await startFurnishedProduct();
  sender = createSender(product.address);
  const { text } = await sender.send({ method: 'GET', path: '/docs/json', headers: {} });
  operations = operationsOf(JSON.parse(text) as OpenApiDocument);
});
afterAll(async () => {
  sender.close();
  await product.stop();
});

/** Operations that change the rights of all callers run last, and so does sign-in, which hashes passwords slowly. */
const comesLast = /budget|providers|members|\/auth\//u;

test('every answer to an odd request follows the contract, and nothing breaks', { timeout }, async () => {
  const findings = new Map<string, string>();
  const ordered = operations.toSorted(
    (one, other) => Number(comesLast.test(one.path)) - Number(comesLast.test(other.path)),
  );
  const left = ordered.values();
  await Promise.all(
    Array.from({ length: routesAtOnce }, async () => {
      for (const operation of left) {
        const begun = performance.now();
        await tryRoute(operation, findings);
        if (!isLarge) continue;
        const seconds = Math.round((performance.now() - begun) / 1_000);
        console.info(`${sent} sent, ${findings.size} findings; ${operation.name}: ${seconds} s`);
      }
    }),
  );
  expect([...findings.values()]).toEqual([]);
  expect(product.failures).toEqual([]);
});

test('objects that odd requests have created can be read', { timeout }, async () => {
  const findings = new Map<string, string>();
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const place = operation.pathParameters.reduce(
      (filled, name) => filled.replace(`{${name}}`, product.known.segments(operation.path, name)[0] ?? ''),
      operation.path,
    );
    const limit = operation.query.some(({ name }) => name === 'limit') ? '?limit=100' : '';
    const headers = product.known.headersOf(operation.name);
    await tryRequest(operation, { method: 'GET', path: `${place}${limit}`, headers }, findings);
  }
  expect([...findings.values()]).toEqual([]);
  expect((await sender.send({ method: 'GET', path: '/health', headers: {} })).status).toBe(200);
});

async function tryRoute(operation: Operation, findings: Map<string, string>): Promise<void> {
  const numRuns = /\/auth\//u.test(operation.path) ? Math.min(10, requestsPerRoute) : requestsPerRoute;
  // Seeded by the route's name, so that a new route does not change the requests of others.
  const own = Buffer.from(operation.name).reduce((sum, byte) => (sum * 31 + byte) % 2 ** 31, seed);
  const ofRoute = { seed: own, numRuns };
  for (const request of oddRequests(operation, product.known, ofRoute)) {
    await tryRequest(operation, request, findings);
  }
}

async function tryRequest(operation: Operation, request: SentRequest, findings: Map<string, string>): Promise<void> {
  const found = await ask(operation, request);
  for (const complaint of found.complaints) {
    const about = `${operation.name} ${complaint}`;
    if (findings.has(about)) continue;
    const finding = `${about}\n  ${shown(request)}\n  ${found.answer}`;
    findings.set(about, finding);
    if (isLarge) console.info(finding);
  }
}

async function ask(operation: Operation, request: SentRequest): Promise<{ complaints: string[]; answer: string }> {
  let answer: ReceivedAnswer;
  sent += 1;
  try {
    answer = await sender.send(request);
  } catch (error) {
    return { complaints: ['has no answer'], answer: String(error) };
  }
  return {
    complaints: complaintsAbout(operation, answer, root),
    answer: `${answer.status} ${answer.text.slice(0, 400)}`,
  };
}

function shown({ method, path: place, headers, body = '' }: SentRequest): string {
  const { authorization: _, ...rest } = headers;
  return `${method} ${place.slice(0, 300)} ${JSON.stringify(rest)} ${body.toString().slice(0, 400)}`;
}
