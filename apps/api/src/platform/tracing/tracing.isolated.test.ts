import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createOpenAiEmbeddingClient, traced, traceHeaders } from '@docwright/agent-core';
import type { TurnAnswer } from '@docwright/contract';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChatTestBench, userMessage, type ChatTestBench } from '../../testing/chat-test-bench.ts';
import type { ClaimedRun, ClaimRepository } from '../../features/headless/claim-repository.ts';
import { createHeadlessWorker, defaultWorkerLimits } from '../../features/headless/headless-worker.ts';
import { startTracing } from './tracing.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string }[];
}

const other = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const given = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const received: string[] = [];
let embedded = '';
let receiver: Server;
let stopTracing: () => Promise<void>;
let bench: ChatTestBench;

beforeAll(async () => {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await text(request);
    const { traceparent } = request.headers;
    if (request.url === '/v1/embeddings') {
      embedded = String(traceparent);
      response.setHeader('content-type', 'application/json').end('{"data":[{"index":0,"embedding":[1]}]}');
      return;
    }
    received.push(sent);
    response.setHeader('content-type', 'application/json').end('{}');
  };
  receiver = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  stopTracing = await startTracing({ endpoint: `http://127.0.0.1:${port}/`, role: 'all' });
  bench = await startChatTestBench();
});
afterAll(async () => {
  await bench.stop();
  receiver.close();
});

it('a request, its turn, rounds, model calls, tools, commands and the wait for a person are spans without any text', async () => {
  const { admin } = bench;
  const { chat } = await bench.documentOf(admin, 'The deposit is 512 crowns.');
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  bench.script({ calls: [{ name: 'create_tag', args: { name: 'Zebra' } }] }, { text: 'Made it, 512 crowns.' });
  const headers = { traceparent: `00-${given.trace}-${given.span}-01` };
  const payload = userMessage('Tag the deposit of 512 crowns');
  const asked = await admin.request<TurnAnswer>('POST', chat, { payload, headers });
  const { turn_id, tool_calls } = asked.body;
  const approvals = [{ call_id: tool_calls[0]!.id, approved: true }];
  const decided = await admin.request<TurnAnswer>('POST', `${chat}/approve`, {
    payload: { turn_id, approvals },
    headers,
  });
  expect(decided.body).toMatchObject({ status: 'completed' });
  await traced({ name: 'test.own' }, async (span) => {
    const { traceId, spanId } = span.spanContext();
    expect(traceHeaders()).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` });
  });
  const baseUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1`;
  await createOpenAiEmbeddingClient({ baseUrl, model: 'vectors' }).embed(['512 crowns']);
  await workOnOneRun();
  const { insertedId } = await bench.connection.collection('waiting_calls').insertOne(expiredCall());
  await traced({ name: 'job recover-decisions' }, () => bench.services.recoverDecisions());
  await traced({ name: 'job again' }, () => bench.services.recoverDecisions());
  const listed = await askMcp('resources/list');
  await stopTracing();

  const spans = received.flatMap((body) =>
    (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  const ofTrace = spans.filter(({ traceId }) => traceId === given.trace);
  const parentOf = new Map(ofTrace.map((span) => [span.spanId, span]));
  const above = (span: Span): string[] => {
    const parent = parentOf.get(span.parentSpanId ?? '');
    return parent ? [parent.name, ...above(parent)] : [];
  };
  const find = (start: string) => ofTrace.find(({ name }) => name.startsWith(start))!;
  const request = find('POST /v0/orgs/:org_id/documents/:document_id/chat');
  expect(request.parentSpanId).toBe(given.span);
  expect(above(find('chat '))).toEqual(['round', 'invoke_agent document-agent', request.name]);
  expect(above(find('execute_tool create_tag')).slice(0, 1)).toEqual(['invoke_agent document-agent']);
  const wait = find('approval.wait');
  expect(Number(wait.endTimeUnixNano)).toBeGreaterThan(Number(wait.startTimeUnixNano));
  expect(above(find('db '))).toContain(request.name);
  expect(spans.some(({ name }) => name === 'document.read')).toBe(true);
  expect(spans.some(({ name }) => name === 'job document-run')).toBe(true);
  const { traceId, spanId } = spans.find(({ name }) => name === 'embeddings vectors')!;
  expect(embedded).toBe(`00-${traceId}-${spanId}-01`);
  expect(spans.filter(({ name }) => name === 'page.read')).toHaveLength(1);
  const waits = spans.filter(({ name, attributes }) => name === 'approval.wait' && attributes.length > 0);
  expect(waits.map(({ startTimeUnixNano, endTimeUnixNano }) => [startTimeUnixNano, endTimeUnixNano])).toEqual([
    ['1767225600000000000', '1767229200000000000'],
  ]);
  expect(insertedId).toBeDefined();
  expect(listed).toBe(200);
  expect(spans.some(({ traceId, parentSpanId }) => traceId === other.trace && parentSpanId === other.span)).toBe(true);
  for (const secret of ['crowns', 'Zebra', 'deposit']) expect(received.join('')).not.toContain(secret);
});

/** A call that waited for an hour until it expired. */
function expiredCall() {
  const [waiting_since, expires_at] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T01:00:00Z')];
  const ids = { call_id: 'expired', turn_id: new Types.ObjectId(), document_id: new Types.ObjectId() };
  return { ...ids, tool: 'create_tag', waiting_since, expires_at, decision: null };
}

/** A request of MCP that names its trace. Returns the status of its answer. */
async function askMcp(method: string): Promise<number> {
  const _meta = { traceparent: `00-${other.trace}-${other.span}-01` };
  const response = await fetch(`${bench.address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bench.admin.accessToken}`,
      'x-org-id': bench.admin.organizationId,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }),
  });
  await response.text();
  return response.status;
}

/** Works on one run that does nothing. */
async function workOnOneRun(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = { id: 'run', organizationId: 'organization', attempts: 1 } as ClaimedRun;
  const waiting = [run];
  const worker = createHeadlessWorker({
    claims: {
      claimNext: async () => waiting.pop(),
      renew: async () => ({ isCancelRequested: false }),
      hasOthers: async () => false,
      requeueOrphans: async () => [],
    } as unknown as ClaimRepository,
    runDocument: async () => true,
    onStarted: async () => undefined,
    onEnded: async () => resolve(),
    limits: defaultWorkerLimits,
    log: { warn: () => undefined, error: () => undefined },
  });
  worker.start();
  await promise;
  await worker.stop();
}
