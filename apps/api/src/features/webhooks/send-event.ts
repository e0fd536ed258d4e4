import { DomainError, type OrganizationEvent } from '@docwright/contract';
import { Webhook as Signer } from 'standardwebhooks';

/** The outcome of one request. */
export interface TryOutcome {
  succeeded: boolean;
  status: number | null;
  error?: string;
  seconds: number;
  /** Milliseconds that the receiver asked to wait. */
  retryAfterMs?: number;
  answer?: string;
}

export interface Receiver {
  url: string;
  headers: Record<string, string>;
  /** The current secret, and the old one while it is valid. */
  secrets: readonly string[];
  keepAnswer: boolean;
}

const tryMs = 20_000;
const maxAnswerLength = 1_000;
const maxRetryAfterMs = 3_600_000;

/** Sends an event once, signed as Standard Webhooks defines it. Never throws for what the receiver does. */
export async function sendEvent(
  guardedFetch: typeof fetch,
  { id, type, timestamp, data, seq, organization_id }: OrganizationEvent,
  { url, headers, secrets, keepAnswer }: Receiver,
  now: Date,
  signal: AbortSignal,
): Promise<TryOutcome> {
  const body = JSON.stringify({ type, timestamp, data, id, seq, organization_id });
  const signature = secrets.map((secret) => new Signer(secret).sign(id, now, body)).join(' ');
  const started = performance.now();
  const seconds = () => Math.round(performance.now() - started) / 1_000;
  try {
    const response = await guardedFetch(url, {
      method: 'POST',
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'Docwright-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': signature,
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(tryMs)]),
    });
    const answer = keepAnswer ? await beginningOf(response) : undefined;
    if (answer === undefined) await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    const succeeded = status >= 200 && status < 300;
    const retryAfterMs =
      status === 429 || status === 503 ? waitOf(response.headers.get('retry-after'), now) : undefined;
    return {
      succeeded,
      status,
      seconds: seconds(),
      ...(!succeeded && { error: `The receiver answered ${status}.` }),
      ...(answer !== undefined && { answer }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  } catch (error) {
    return { succeeded: false, status: null, error: reasonOf(error), seconds: seconds() };
  }
}

/** Reads no more of an answer than is stored, and what came of one that breaks off: its status has decided the try. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= maxAnswerLength) break;
    }
  } catch {
    // The receiver was too slow, or the connection broke.
  }
  return text.slice(0, maxAnswerLength);
}

/** Seconds or a date, at most an hour. */
function waitOf(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}

/** For users of the organization: without internal addresses. */
function reasonOf(error: unknown): string {
  const domain = [error, (error as Error).cause].find((each) => each instanceof DomainError);
  if (domain?.code === 'redirect_refused') return 'The receiver answers with a redirect, which is not followed.';
  if (domain?.code === 'address_refused') return 'The address is private or leads to a private one, so it is not used.';
  if ((error as Error).name === 'TimeoutError') return 'The receiver did not answer within 20 seconds.';
  return 'The receiver cannot be reached, or the connection broke.';
}
