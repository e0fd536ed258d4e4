import type { EventType, Webhook, WebhookDelivery, WebhookTest } from '@docwright/contract';
import { formatMoment } from '../../../shared/formats/format-document.ts';
import type { Tone } from '../../../shared/formats/run-labels.ts';

/** The label of each event. */
export const eventLabels: Record<EventType, string> = {
  'document.created': 'A document is uploaded',
  'document.ready': 'A document has its text',
  'document.failed': 'A document cannot be read',
  'document.routed': 'A route took a document',
  'document.unsure': 'No route is sure of a document',
  'extraction.completed': 'An extraction is complete',
  'extraction.failed': 'An extraction failed',
  'extraction.incomplete': 'An extraction is incomplete',
  'result.released': 'A result is released',
  'result.withdrawn': 'A released result is withdrawn',
  'proposal.ready': 'A proposal is ready',
  'approval.waiting': 'A call waits for approval',
  'run.completed': 'A run has ended',
  'source.failing': 'A source fails',
  'webhook.disabled': 'A webhook is disabled',
  'budget.exhausted': 'The budget is used up',
};

const because: Record<NonNullable<Webhook['disabled_because']>, string> = {
  gone: 'The receiver answered 410: it wants no more events.',
  failing: 'No try has succeeded for five days.',
  creator_left: 'Its creator left or became a viewer.',
};

/** The state of a webhook, and what there is to say about it. */
export function webhookState({ enabled, disabled_because, failing_since }: Webhook): {
  label: string;
  tone: Tone;
  note?: string;
} {
  if (!enabled && disabled_because) return { label: 'Disabled', tone: 'bad', note: because[disabled_because] };
  if (!enabled) return { label: 'Paused', tone: 'neutral' };
  if (failing_since === undefined) return { label: 'Active', tone: 'good' };
  return {
    label: 'Failing',
    tone: 'warn',
    note: `No try has succeeded since ${formatMoment(failing_since)}. It is disabled after five days.`,
  };
}

export function deliveryState({ state, tries, next_try_at }: WebhookDelivery): { label: string; tone: Tone } {
  if (state === 'succeeded') return { label: 'Delivered', tone: 'good' };
  if (state === 'failed') return { label: 'Failed', tone: 'bad' };
  if (tries === 0) return { label: 'Waiting', tone: 'neutral' };
  const next = next_try_at === null ? '' : ` ${formatMoment(next_try_at)}`;
  return { label: `Again${next}`, tone: 'warn' };
}

/** The outcome of a test in a sentence. */
export function testSentence({ succeeded, status, error, seconds }: WebhookTest): string {
  const time = `${seconds.toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
  return succeeded ? `The receiver answered ${status} after ${time}.` : `${error ?? 'The test failed.'} (${time})`;
}

/** What a receiver in JavaScript does with a request. */
export const verifySnippet = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET)
  .verify(bodyAsText, request.headers); // throws if it is forged
if (await isKnown(event.id)) return; // an event can come twice`;

/** The headers of a text with a line for each: `Name: value`. */
export function headersOf(text: string): { headers: Record<string, string> } | { error: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(':');
    if (at <= 0) return { error: 'Write a line for each header: “Name: value”.' };
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { headers };
}
