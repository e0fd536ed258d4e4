import { eventType, type Webhook, type WebhookDelivery } from '@docwright/contract';
import { expect, it } from 'vitest';
import { deliveryState, eventLabels, headersOf, testSentence, webhookState } from './webhook-labels.ts';

const webhook = { enabled: true } as Webhook;
const delivery = { state: 'pending', tries: 0, next_try_at: null } as WebhookDelivery;

it('says the state of a webhook, and why it is disabled', () => {
  expect(webhookState(webhook).label).toBe('Active');
  expect(webhookState({ ...webhook, failing_since: '2026-01-02T03:04:05Z' })).toMatchObject({
    label: 'Failing',
    note: expect.stringContaining('2026'),
  });
  expect(webhookState({ ...webhook, enabled: false }).label).toBe('Paused');
  expect(webhookState({ ...webhook, enabled: false, disabled_because: 'gone' }).note).toContain('410');
});

it('says the state of a delivery and the outcome of a test', () => {
  expect(deliveryState(delivery).label).toBe('Waiting');
  expect(deliveryState({ ...delivery, tries: 2, next_try_at: '2026-01-02T03:04:05Z' }).label).toMatch(/^Again .*2026/);
  expect(deliveryState({ ...delivery, state: 'succeeded' }).label).toBe('Delivered');
  expect(testSentence({ succeeded: true, status: 204, seconds: 0.21 })).toBe('The receiver answered 204 after 0.2 s.');
  expect(testSentence({ succeeded: false, status: null, error: 'No answer.', seconds: 20 })).toBe('No answer. (20 s)');
});

it('has words for each event, and reads headers', () => {
  expect(Object.keys(eventLabels).toSorted()).toEqual([...eventType.options].toSorted());
  expect(headersOf('X-Key: a:b\n\nAuthorization: Bearer x')).toEqual({
    headers: { 'X-Key': 'a:b', Authorization: 'Bearer x' },
  });
  expect(headersOf('nothing')).toHaveProperty('error');
});
