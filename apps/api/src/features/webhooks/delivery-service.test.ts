import mongoose from 'mongoose';
import { afterEach, expect, it } from 'vitest';
import { createDeliveryService } from './delivery-service.ts';
import type { DeliveryRecord, WebhookRecord } from './webhook-model.ts';
import type { WebhookQueue } from './webhook-repository.ts';

const id = () => new mongoose.Types.ObjectId();

const services: ReturnType<typeof createDeliveryService>[] = [];
// Receivers that never answer would end by their timeout, in a test of another file with another clock.
afterEach(async () => void (await Promise.all(services.splice(0).map((service) => service.stop()))));

/** Webhooks with events that are due, and receivers that answer when the test says so. */
function receivers() {
  const webhooks = new Map<string, { record: WebhookRecord; due: DeliveryRecord[] }>();
  const open: { url: string; answer: (status: number) => void }[] = [];
  /** Organizations whose events cannot be read. */
  const broken = new Set<string>();
  /** Events that are not planned yet, by the organization; the organizations of the planned batches. */
  const [unplanned, planned] = [new Map<string, number>(), [] as string[]];
  const looks = { running: 0, most: 0, count: 0 };
  const of = ({ _id }: { _id: mongoose.Types.ObjectId }) => webhooks.get(_id.toHexString())!;
  const queue = {
    enabled: async () => [...webhooks.values()].map(({ record }) => ({ ...record, planned_through: 0 })),
    setPlanned: async () => undefined,
    async due() {
      looks.count += 1;
      looks.running += 1;
      looks.most = Math.max(looks.most, looks.running);
      await new Promise((resolve) => setTimeout(resolve));
      looks.running -= 1;
      return [...webhooks.values()].flatMap(({ record, due }) => (due.length > 0 ? [record] : []));
    },
    next: async (record: WebhookRecord, _now: Date, limit: number) => of(record).due.slice(0, limit),
    async settle(delivery: DeliveryRecord) {
      const { due } = webhooks.get(delivery.webhook_id.toHexString())!;
      due.splice(due.indexOf(delivery), 1);
    },
    setFailing: async (record: WebhookRecord, since: Date | null) => void (of(record).record.failing_since = since),
    leases: {
      claim: async (filter: { _id: mongoose.Types.ObjectId }) => ({ record: of(filter).record, token: 1 }),
      renew: async (filter: { _id: mongoose.Types.ObjectId }) => of(filter).record,
      release: async () => undefined,
    },
  } as unknown as WebhookQueue;
  const service = createDeliveryService({
    queue,
    webhooksOf: (organizationId) => ({ plan: async () => void planned.push(organizationId) }),
    eventLog: { get: async () => ({}) as never, range: async () => ({ oldest: 1, last: 0 }) },
    eventReader: {
      async read(organizationId, after, limit) {
        if (broken.has(organizationId)) throw new Error('unreadable');
        return { records: [], reached: Math.min(after + limit, unplanned.get(organizationId) ?? after) };
      },
      present: async () => ({ id: 'evt_1', type: 'run.completed', timestamp: '', data: {}, seq: 1 }) as never,
    },
    secrets: { headersOf: () => ({}), secretsOf: () => [`whsec_${Buffer.alloc(32).toString('base64')}`] } as never,
    guardedFetch: async (url, init) =>
      await new Promise<Response>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        open.push({
          url: typeof url === 'string' ? url : '',
          answer: (status) => resolve(new Response(null, { status })),
        });
      }),
    roleOf: async () => 'admin',
    log: {
      error(fields, message) {
        if (broken.size === 0) expect.unreachable(`${message} ${JSON.stringify(fields)}`);
      },
    },
  });
  services.push(service);
  return {
    service,
    /** The requests that wait for an answer. */
    open,
    unplanned,
    broken,
    planned,
    looks,
    add(organization_id: mongoose.Types.ObjectId, url: string, events: number) {
      const _id = id();
      const record = { _id, organization_id, url, enabled: true, failing_since: null, is_own: false };
      const due = Array.from({ length: events }, () => ({ _id: id(), webhook_id: _id, step: 0 }) as DeliveryRecord);
      webhooks.set(_id.toHexString(), { record: record as unknown as WebhookRecord, due });
      return record as unknown as WebhookRecord;
    },
    left: () => [...webhooks.values()].reduce((sum, { due }) => sum + due.length, 0),
    async answerAll(status: number) {
      for (const { answer } of open.splice(0)) answer(status);
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

const signal = () => new AbortController().signal;
const waiting = ({ open }: ReturnType<typeof receivers>, url: string) => open.filter((each) => each.url === url).length;

it('gives a receiver a place although another organization has a hundred that stall', async () => {
  const at = receivers();
  const [stalling, other] = [id(), id()];
  for (let count = 0; count < 100; count += 1) at.add(stalling, 'stall', 40);
  await at.service.work(signal());
  expect(waiting(at, 'stall')).toBe(20 * 8);
  at.add(other, 'quick', 1);
  await at.service.work(signal());
  expect(waiting(at, 'quick')).toBe(1);
});

it('gives a receiver a place although others of its organization fail, and serves these in turn', async () => {
  const at = receivers();
  const organization = id();
  const failing = Array.from({ length: 30 }, () => at.add(organization, 'fail', 16));
  await at.service.work(signal());
  await at.answerAll(500);
  expect(failing.filter(({ failing_since }) => failing_since).length).toBeGreaterThanOrEqual(20);
  for (const webhook of failing) webhook.failing_since ??= new Date();
  await at.answerAll(500);
  at.add(organization, 'quick', 1);
  await at.service.work(signal());
  expect(waiting(at, 'quick')).toBe(1);
  expect(waiting(at, 'fail')).toBeLessThanOrEqual(10 * 8);
  // Nobody has to poll for those without a place.
  for (let turn = 0; turn < 100 && at.left() > 0; turn += 1) await at.answerAll(500);
  expect(at.left()).toBe(0);
  await at.service.settled();
});

it('plans the events of an organization although another one has many events and webhooks', async () => {
  const at = receivers();
  const [busy, other] = [id(), id()];
  for (let count = 0; count < 100; count += 1) at.add(busy, 'busy', 0);
  at.add(other, 'quick', 0);
  at.unplanned.set(busy.toHexString(), 5_000);
  at.unplanned.set(other.toHexString(), 1);
  await at.service.work(signal());
  expect(at.planned.indexOf(other.toHexString())).toBe(1);
  expect(at.planned).toHaveLength(100 * 10 + 1);
});

it('looks for due receivers once at a time, however many give their places up', async () => {
  const at = receivers();
  const organization = id();
  for (let count = 0; count < 100; count += 1) at.add(organization, 'quick', 40);
  await at.service.work(signal());
  for (let turn = 0; turn < 400 && at.left() > 0; turn += 1) await at.answerAll(200);
  expect(at.left()).toBe(0);
  await at.service.settled();
  expect(at.looks.most).toBe(1);
  // One look for each of the 500 batches went through all due deliveries each time.
  expect(at.looks.count).toBeLessThan(200);
});

it('delivers to others although the events of one webhook cannot be read', async () => {
  const at = receivers();
  const [unreadable, other] = [id(), id()];
  at.add(unreadable, 'never', 0);
  at.add(other, 'quick', 1);
  at.broken.add(unreadable.toHexString());
  at.unplanned.set(other.toHexString(), 5);
  await at.service.work(signal());
  expect(at.planned).toContain(other.toHexString());
  expect(waiting(at, 'quick')).toBe(1);
});

it('ends tries at its stop without counting them, although the jobs go on, and begins no others', async () => {
  const at = receivers();
  at.add(id(), 'stall', 40);
  await at.service.work(signal());
  await at.service.stop();
  await at.service.work(signal());
  expect([at.open.length, at.left()]).toEqual([8, 40]);
});
