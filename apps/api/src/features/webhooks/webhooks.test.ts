import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CreatedWebhook, Webhook, WebhookDelivery } from '@docwright/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { createTestClient, type TestClient } from '../../testing/test-client.ts';
import { outboxEvent } from '../event-log/index.ts';
import { createDeliveryService } from './delivery-service.ts';
import { webhookModel } from './webhook-model.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

let app: TestApp;
let server: Server;
let client: TestClient;
let received: Received[] = [];
let answer: (response: ServerResponse, path: string) => void;
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(async () => {
  app = await startTestApp({ settings: { LLM_ALLOWED_HOSTS: '127.0.0.1' } });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path });
      answer(response, path);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.stop();
});
beforeEach(async () => {
  // Webhooks of earlier tests would send again when their next try is due.
  await webhookModel(app.connection).updateMany({}, { $set: { enabled: false } });
  client = await app.addOrganization();
  received = [];
  answer = (response) => void response.writeHead(204).end();
});

const signal = () => new AbortController().signal;
const emit = async (count = 1) => {
  const events = Array.from({ length: count }, () => ({ ...outboxEvent('run.completed'), data: { run_id: 'r' } }));
  await app.services.eventLog.append(client.organizationId, events);
  return events.map(({ id }) => id);
};
const create = async (body: object = {}) =>
  (await client.post<CreatedWebhook>('./webhooks', { url: `${origin()}/hook`, ...body })).body;
const deliveries = async (id: string) =>
  (await client.get<{ deliveries: WebhookDelivery[] }>(`./webhooks/${id}/deliveries`)).body.deliveries;
const at = (hours: number) =>
  createDeliveryService({ ...app.services.webhookSending, now: () => new Date(Date.now() + hours * 3_600_000) });
async function deliver(service = app.services.webhookDelivery) {
  await service.work(signal());
  await service.settled();
}

describe('a webhook', () => {
  it('gets a signed event, under the id of the event, without its secret ever being shown again', async () => {
    const webhook = await create({ url: `${origin()}/hook?key=1`, headers: { authorization: 'Bearer x' } });
    expect(webhook.secret).toMatch(/^whsec_/);
    expect(webhook.headers).toEqual({ authorization: '••••' });
    const { text } = await client.get<Webhook>(`./webhooks/${webhook.id}`);
    expect(text).not.toContain('secret');
    const [id] = await emit();
    await deliver();
    const [{ headers, body, path }] = received as [Received];
    expect(path).toBe('/hook?key=1');
    expect(headers['authorization']).toBe('Bearer x');
    const event = new Verifier(webhook.secret).verify(body, headers as Record<string, string>);
    expect(headers['webhook-id']).toBe(id);
    expect(event).toEqual({
      type: 'run.completed',
      timestamp: expect.stringMatching(/Z$/),
      data: { run_id: 'r' },
      id,
      seq: 1,
      organization_id: client.organizationId,
    });
    expect(await deliveries(webhook.id)).toMatchObject([{ state: 'succeeded', tries: 1, status: 204, event_id: id }]);
    await deliver();
    expect(received).toHaveLength(1);
  });

  it('that is down for three days heals by itself, and every try has one id', async () => {
    const webhook = await create();
    const [id] = await emit();
    answer = (response) => void response.writeHead(500).end();
    for (const hours of [0, 0.1, 1, 4, 10, 21, 38, 60]) await deliver(at(hours));
    answer = (response) => void response.writeHead(200).end('ok');
    await deliver(at(72 + 24));
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(received.length).toBe(9);
    expect(await deliveries(webhook.id)).toMatchObject([{ state: 'succeeded', tries: 9 }]);
  });

  it('is tried ten times by the table, and is disabled after five days with nothing but failure', async () => {
    const webhook = await create();
    await emit();
    answer = (response) => void response.writeHead(503, { 'retry-after': '3600' }).end();
    const before = Date.now();
    await deliver();
    const [first] = await deliveries(webhook.id);
    const wait = Date.parse(first!.next_try_at!) - before;
    expect(wait).toBeGreaterThanOrEqual(3_599_000);
    expect(wait).toBeLessThan(3_660_000);
    answer = (response) => void response.writeHead(500).end();
    for (let hours = 2; hours < 118; hours += 29) await deliver(at(hours));
    expect((await client.get<Webhook>(`./webhooks/${webhook.id}`)).body.enabled).toBe(true);
    await emit();
    await deliver(at(125));
    const { body } = await client.get<Webhook>(`./webhooks/${webhook.id}`);
    expect(body).toMatchObject({ enabled: false, disabled_because: 'failing' });
    await app.services.relayOutboxes(signal());
    const feed = await client.get<{ events: { data: object }[] }>('./events?types=webhook.disabled');
    expect(feed.body.events).toMatchObject([{ data: { webhook_id: webhook.id, because: 'failing' } }]);
  });

  it('is disabled by 410, and a redirect is a failure', async () => {
    const gone = await create();
    await emit();
    answer = (response) => void response.writeHead(410).end();
    await deliver();
    expect((await client.get<Webhook>(`./webhooks/${gone.id}`)).body).toMatchObject({
      enabled: false,
      disabled_because: 'gone',
    });
    const moved = await create();
    await emit();
    answer = (response) => void response.writeHead(302, { location: '/other' }).end();
    await deliver();
    expect(received.map(({ path }) => path)).not.toContain('/other');
    expect(await deliveries(moved.id)).toMatchObject([
      { state: 'pending', error: expect.stringContaining('redirect') },
    ]);
  });

  it('that stalls holds up nobody else’s', async () => {
    await create({ url: `${origin()}/stall` });
    const other = await create({ url: `${origin()}/quick` });
    await emit(20);
    let [stalled, most] = [0, 0];
    const open: ServerResponse[] = [];
    answer = (response, path) => {
      if (path === '/quick') return void response.writeHead(200).end();
      most = Math.max(most, (stalled += 1));
      open.push(response);
    };
    await app.services.webhookDelivery.work(signal());
    await expect
      .poll(async () => (await deliveries(other.id)).filter(({ state }) => state === 'succeeded').length, {
        timeout: 9_000,
      })
      .toBe(10);
    await expect.poll(() => received.filter(({ path }) => path === '/quick').length).toBe(20);
    expect(most).toBe(8);
    answer = (response) => void response.writeHead(200).end();
    for (const response of open) response.writeHead(200).end();
    await app.services.webhookDelivery.settled();
    expect(received).toHaveLength(40);
  });

  it('signs with the old and the new secret after a rotation', async () => {
    const webhook = await create();
    const { body } = await client.post<{ secret: string }>(`./webhooks/${webhook.id}/rotate`);
    await emit();
    await deliver();
    const [{ headers, body: text }] = received as [Received];
    for (const secret of [webhook.secret, body.secret]) {
      expect(() => new Verifier(secret).verify(text, headers as Record<string, string>)).not.toThrow();
    }
    expect(headers['webhook-signature']!.toString().split(' ')).toHaveLength(2);
  });

  it('gets again what is asked for, also what happened while it was disabled', async () => {
    const webhook = await create({ keep_answers: true });
    const since = new Date(Date.now() - 1_000).toISOString();
    answer = (response) => void response.writeHead(500).end('x'.repeat(5_000));
    const [first] = await emit();
    await deliver();
    const [failed] = await deliveries(webhook.id);
    expect(failed!.answer).toHaveLength(1_000);
    answer = (response) => void response.writeHead(200).end();
    expect((await client.post(`./webhooks/${webhook.id}/redeliver`, { failed: true })).body).toEqual({ deliveries: 1 });
    await deliver();
    await client.post(`./webhooks/${webhook.id}/deliveries/${failed!.id}/redeliver`);
    await deliver();
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([first, first, first]);
    await client.patch(`./webhooks/${webhook.id}`, { enabled: false });
    const [missed] = await emit();
    await deliver();
    await client.patch(`./webhooks/${webhook.id}`, { enabled: true });
    await deliver();
    expect(received).toHaveLength(3);
    expect((await client.post(`./webhooks/${webhook.id}/redeliver`, { since })).body).toEqual({ deliveries: 1 });
    await deliver();
    expect(received.at(-1)!.headers['webhook-id']).toBe(missed);
    expect((await client.post(`./webhooks/${webhook.id}/test`)).body).toMatchObject({ succeeded: true, status: 200 });
  });

  it('misses nothing and repeats nothing if its planner dies between two writes', async () => {
    const webhook = await create({ ordered: true });
    const ids = await emit(30);
    const { queue } = app.services.webhookSending;
    for (let kill = 0; kill < 20; kill += 1) {
      const dying = createDeliveryService({
        ...app.services.webhookSending,
        queue: { ...queue, setPlanned: () => Promise.reject(new Error('killed')) },
      });
      await dying.work(signal());
      await dying.settled();
    }
    await deliver();
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
    expect((await deliveries(webhook.id)).length).toBe(10);
  });

  it('takes only the events that it names', async () => {
    await create({ types: ['document.ready'] });
    await emit();
    await deliver();
    expect(received).toEqual([]);
  });
});

describe('the rights', () => {
  it('that is about a prompt or tag which does not exist is refused: it would get nothing, for ever', async () => {
    const missing = 'a'.repeat(24);
    const refused = { status: 400, body: { error: { code: 'unknown_reference' } } };
    const { id } = await create();
    for (const filter of [{ prompt_id: missing }, { tag_ids: [missing] }]) {
      expect(await client.post('./webhooks', { url: `${origin()}/hook`, filter })).toMatchObject(refused);
      expect(await client.patch(`./webhooks/${id}`, { filter })).toMatchObject(refused);
    }
    expect(await client.patch(`./webhooks/${id}`, { filter: null })).toMatchObject({ status: 200 });
  });

  it('are those of admins, and of member’s tokens for what they made', async () => {
    await create();
    const member = await app.addUser('member', client.organizationId);
    expect((await member.in(client.organizationId, 'member').get('./webhooks')).error?.code).toBe('admin_required');
    const tokenOf = async (scopes: string[], of = member) => {
      const { body } = await of
        .in(client.organizationId, 'member')
        .post<{ token: string }>('./access_tokens', { name: 't', lifetime_days: 1, scopes });
      return createTestClient(app.app, {
        user: { id: of.userId, email: of.email, name: 't' } as never,
        organization: { id: client.organizationId },
        accessToken: body.token,
        role: 'member',
      });
    };
    const token = await tokenOf(['webhooks']);
    const made = await token.post<CreatedWebhook>('./webhooks', { url: `${origin()}/own` });
    expect(made.status).toBe(201);
    expect((await token.get<{ total_count: number }>('./webhooks')).body.total_count).toBe(1);
    expect((await token.get('./documents')).error?.code).toBe('scope_missing');
    expect((await (await tokenOf(['read', 'decide'])).get('./webhooks')).error?.code).toBe('scope_missing');
    const viewer = await app.addUser('member', client.organizationId);
    const ofViewer = await tokenOf(['webhooks'], viewer);
    const kept = await ofViewer.post<CreatedWebhook>('./webhooks', { url: `${origin()}/demoted` });
    await client.delete(`./members/${member.userId}`);
    await client.patch(`./members/${viewer.userId}`, { role: 'viewer' });
    await emit();
    await deliver();
    expect(received.map(({ path }) => path)).toEqual(['/hook']);
    for (const { body } of [made, kept]) {
      const ended = await client.get<Webhook>(`./webhooks/${body.id}`);
      expect(ended.body).toMatchObject({ enabled: false, disabled_because: 'creator_left' });
    }
  });

  it('end at the organization, and no private address is called', async () => {
    const webhook = await create();
    const stranger = await app.addOrganization();
    expect((await stranger.get(`./webhooks/${webhook.id}`)).error?.code).toBe('webhook_not_found');
    for (const url of ['http://10.0.0.1/x', 'http://localhost/x', 'ftp://example.com', 'https://a:b@example.com/']) {
      expect((await client.post('./webhooks', { url })).error?.code, url).toBe('webhook_url_refused');
    }
    const headers = { 'Webhook-Id': 'x' };
    expect((await client.post('./webhooks', { url: 'https://example.com', headers })).status).toBe(422);
  });
});
