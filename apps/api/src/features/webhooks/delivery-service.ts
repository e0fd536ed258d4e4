import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationEvent } from '@docwright/contract';
import { LruMap } from 'toad-cache';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { EventLog } from '../event-log/index.ts';
import type { EventReader } from '../events/index.ts';
import { sendEvent, type TryOutcome } from './send-event.ts';
import type { DeliveryRecord, WebhookRecord } from './webhook-model.ts';
import type { WebhookQueue, WebhookRepository } from './webhook-repository.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

interface DeliveryServiceDependencies {
  queue: WebhookQueue;
  webhooksOf: (organizationId: string) => Pick<WebhookRepository, 'plan'>;
  eventLog: Pick<EventLog, 'get' | 'range'>;
  eventReader: EventReader;
  secrets: WebhookSecrets;
  guardedFetch: typeof fetch;
  /** Undefined for a user who has left the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<string | undefined>;
  log: { error(fields: object, message: string): void };
  /** Replaces the clock, in tests. */
  now?: () => Date;
}

/** Delivers events to webhooks: at least once, each under one id over all tries. */
export type DeliveryService = ReturnType<typeof createDeliveryService>;

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** The delays after each failed try: 75 hours in all. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const jitter = 0.2;
/** After so long with nothing but failure a webhook is disabled. */
const disabledAfterMs = 5 * 24 * hour;
const maxAtOnce = 8;
/**
 * Receivers that one process sends to at once, in all and of one organization. Those whose last try failed get at most half
 * of the places, so that stalled receivers, however many, do not delay others.
 */
const maxReceivers = { inAll: 200, ofOrganization: 20 };
const leaseMs = 45_000;
const planBatch = 500;
/** What is left to plan after so long is planned when the job runs again. */
const maxPlanMs = 2_000;
/** A look for due receivers goes through all due deliveries: it rests for so many times as long as it took. */
const restShare = 4;
const maxRestMs = 2_000;

export function createDeliveryService(dependencies: DeliveryServiceDependencies) {
  const { queue, webhooksOf, eventLog, eventReader, secrets, guardedFetch, roleOf, log } = dependencies;
  const now = dependencies.now ?? (() => new Date());
  const aside = createSetAside({ log, failure: 'deliveries of a webhook could not be planned' });
  const active = new Map<string, { webhook: WebhookRecord; sending: Promise<void> }>();
  /** When a receiver was last served: those that have waited longest come first. */
  const servedAt = new LruMap<number>(10_000);
  /** Whether a receiver waits for a place. */
  let isWaiting = false;
  let isLooking = false;
  let isAskedAgain = false;
  /** Aborts the tries: the server stops before its jobs do, and waits for no receiver. */
  const stopping = new AbortController();

  /** Plans a batch of events. Returns false if no event waits. */
  async function planNext(webhook: WebhookRecord): Promise<boolean> {
    const organizationId = webhook.organization_id.toHexString();
    const { types, filter, planned_through: through } = webhook;
    const wanted = { types, ...filter };
    const { records, reached } = await eventReader.read(organizationId, through, planBatch, wanted);
    if (reached === through) return false;
    // First the deliveries: after a crash they are found again.
    await webhooksOf(organizationId).plan(webhook, records);
    await queue.setPlanned(webhook, reached);
    webhook.planned_through = reached;
    return true;
  }

  /** False if no event waits, or one could not be planned. */
  async function isPlanned(webhook: WebhookRecord): Promise<boolean> {
    let isMore = false;
    await aside.work(webhook._id.toHexString(), async () => (isMore = await planNext(webhook)));
    return isMore;
  }

  /** Organizations take turns: one with many events and webhooks delays no other. */
  async function plan(signal: AbortSignal): Promise<void> {
    const until = performance.now() + maxPlanMs;
    const failed = new Set(aside.ids());
    const enabled = (await queue.enabled()).filter(({ _id }) => !failed.has(_id.toHexString()));
    let open = [...Map.groupBy(enabled, ({ organization_id }) => organization_id.toHexString()).values()];
    while (open.length > 0 && performance.now() < until) {
      for (const webhooks of open) {
        while (webhooks.length > 0 && !signal.aborted && !(await isPlanned(webhooks[0]!))) webhooks.shift();
      }
      if (signal.aborted) return;
      open = open.filter(({ length }) => length > 0);
    }
  }

  async function receiverOf(webhook: WebhookRecord) {
    return {
      url: webhook.url,
      headers: secrets.headersOf(webhook),
      secrets: secrets.secretsOf(webhook, now()),
      keepAnswer: webhook.keep_answers,
    };
  }

  async function tryOnce(
    webhook: WebhookRecord,
    event: OrganizationEvent,
    signal = new AbortController().signal,
  ): Promise<TryOutcome> {
    return await sendEvent(guardedFetch, event, await receiverOf(webhook), now(), signal);
  }

  async function deliver(webhook: WebhookRecord, delivery: DeliveryRecord, signal: AbortSignal): Promise<void> {
    const organizationId = webhook.organization_id.toHexString();
    const record = await eventLog.get(organizationId, delivery.event_id);
    if (record === undefined) {
      await queue.settle(delivery, { state: 'failed', next_try_at: null, error: 'The event is older than 30 days.' });
      return;
    }
    const event = await eventReader.present(record, webhook.include_result);
    const { succeeded, retryAfterMs, ...outcome } = await tryOnce(webhook, event, signal);
    // A try that the stop of the server aborted does not count.
    if (signal.aborted && !succeeded) return;
    const { status, seconds, error = null, answer = null } = outcome;
    const stored = { status, seconds, error, answer };
    if (succeeded) {
      await queue.settle(delivery, { ...stored, state: 'succeeded', next_try_at: null });
      if (webhook.failing_since) await queue.setFailing(webhook, null);
      return;
    }
    const wait = delays[delivery.step];
    const isLast = wait === undefined || status === 410;
    const planned = (wait ?? 0) * (1 - jitter + Math.random() * 2 * jitter);
    const next = new Date(now().getTime() + Math.max(planned, retryAfterMs ?? 0));
    await queue.settle(delivery, {
      ...stored,
      step: delivery.step + 1,
      ...(isLast ? { state: 'failed', next_try_at: null } : { next_try_at: next }),
    });
    if (status === 410) await queue.disable(webhook, 'gone');
    else if (!webhook.failing_since) await queue.setFailing(webhook, now());
    else if (now().getTime() - webhook.failing_since.getTime() > disabledAfterMs)
      await queue.disable(webhook, 'failing');
  }

  /** Whether the member who made a webhook with a token could make it now. */
  async function mayStillHave({ organization_id, created_by }: WebhookRecord): Promise<boolean> {
    const role = await roleOf(organization_id.toHexString(), created_by.toHexString());
    return role !== undefined && role !== 'viewer';
  }

  /** Sends what is due to one receiver, while this process holds it. Returns false if another one does. */
  async function drain(webhook: WebhookRecord, signal: AbortSignal): Promise<boolean> {
    const one = { _id: webhook._id };
    const claim = await queue.leases.claim({ ...one, enabled: true }, { milliseconds: leaseMs });
    if (claim === undefined) return false;
    try {
      let current: WebhookRecord | undefined = claim.record;
      while (current?.enabled && !signal.aborted) {
        if (current.is_own && !(await mayStillHave(current))) {
          await queue.disable(current, 'creator_left');
          return true;
        }
        const due = await queue.next(current, now(), maxAtOnce);
        if (due.length === 0) return true;
        const held = current;
        await Promise.all(due.map((delivery) => deliver(held, delivery, signal)));
        if (isWaiting) return true;
        current = await queue.leases.renew(one, claim.token, leaseMs);
      }
      return true;
    } finally {
      await queue.leases.release(one, claim.token);
    }
  }

  function hasPlace({ organization_id, failing_since }: WebhookRecord): boolean {
    const open = [...active.values()].map(({ webhook }) => webhook);
    const among = failing_since ? open.filter((other) => other.failing_since) : open;
    const share = failing_since ? 0.5 : 1;
    const ofOrganization = among.filter((other) => other.organization_id.equals(organization_id));
    return among.length < share * maxReceivers.inAll && ofOrganization.length < share * maxReceivers.ofOrganization;
  }

  /** Sends to a receiver, and gives its place to the one that waits longest. */
  async function serve(webhook: WebhookRecord, signal: AbortSignal): Promise<void> {
    const id = webhook._id.toHexString();
    const onError = (error: unknown) => log.error({ err: error, webhook: id }, 'a webhook could not be served');
    const isServed = await drain(webhook, signal).catch(onError);
    active.delete(id);
    servedAt.set(id, performance.now());
    // A webhook that another process serves would be due again at once.
    if (isWaiting && isServed === true) await startNext(signal).catch(onError);
  }

  /** Of several receivers that give their places up, one looks who is next, with rests in between. */
  async function startNext(signal: AbortSignal): Promise<void> {
    isAskedAgain = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isAskedAgain && isWaiting && !signal.aborted) {
        isAskedAgain = false;
        const begun = performance.now();
        await startDue(signal);
        await delay(Math.min(restShare * (performance.now() - begun), maxRestMs));
      }
    } finally {
      isLooking = false;
    }
  }

  /** Starts to send to the receivers with due events for which there is a place. */
  async function startDue(signal: AbortSignal): Promise<void> {
    const due = await queue.due(now());
    const lastServed = ({ _id }: WebhookRecord) => servedAt.get(_id.toHexString()) ?? 0;
    isWaiting = false;
    for (const webhook of due.toSorted((one, other) => lastServed(one) - lastServed(other))) {
      const id = webhook._id.toHexString();
      if (signal.aborted) return;
      if (active.has(id)) continue;
      if (!hasPlace(webhook)) {
        isWaiting = true;
        continue;
      }
      active.set(id, { webhook, sending: serve(webhook, signal) });
    }
  }

  /** Resolves when nothing is being sent. */
  async function settled(): Promise<void> {
    while (active.size > 0) await Promise.all([...active.values()].map(({ sending }) => sending));
  }

  return {
    /** Sends an event once, without storing anything. */
    tryOnce,
    /** Plans deliveries and starts to send what is due. Does not wait for receivers. */
    async work(signal: AbortSignal): Promise<void> {
      const open = AbortSignal.any([signal, stopping.signal]);
      await plan(open);
      await startDue(open);
      // Receivers that answer at once are served before the next poll.
      await delay(0);
    },
    settled,
    /** Aborts what is being sent, which does not count as a try, and resolves when nothing is. Nothing is sent afterwards. */
    async stop(): Promise<void> {
      stopping.abort();
      await settled();
    },
  };
}
