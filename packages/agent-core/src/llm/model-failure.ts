import { DomainError, type DomainErrorKind } from '@docwright/contract';
import type { TokenUsage } from './llm-client.ts';
import { textOf } from './stream/completion-chunk.ts';

/** What a failed model call is to us: the error to show, and whether trying once more makes sense. */
export interface ModelFailure {
  readonly error: DomainError;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
}

/** How an error names where an endpoint's address, key and model are set, so that a person can put it right. */
export interface EndpointWords {
  /** Who failed, such as `The model endpoint`; its address is added. */
  readonly endpoint: string;
  readonly address: string;
  readonly key: string;
  readonly model: string;
}

/** The operator's own endpoint. */
export const settingsWords: EndpointWords = {
  endpoint: 'The model endpoint',
  address: 'LLM_BASE_URL',
  key: 'LLM_API_KEY',
  model: 'LLM_MODEL',
};

/** Whom an error names, and what it must not repeat. */
export interface FailureContext {
  readonly words: EndpointWords;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Whether something of the answer had been read. */
  readonly answering: boolean;
}

/** An answer with an error status. */
export class StatusError extends Error {
  readonly status: number;
  readonly payload: unknown;
  readonly headers: Headers | undefined;

  constructor(status: number, payload: unknown, message: string, headers: Headers | undefined) {
    super(message);
    this.status = status;
    this.payload = payload;
    this.headers = headers;
  }
}

/** An error object that came in the stream, after a 200. */
export class StreamedError extends Error {
  readonly payload: unknown;

  constructor(payload: unknown) {
    super('The model endpoint sent an error in its stream.');
    this.payload = payload;
  }
}

/** An answer that is no chat completion; `what` it is instead completes "answered with …". */
export class BadAnswerError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The model endpoint answered with ${what}.`);
    this.what = what;
  }
}

/** Nothing came for that long. */
export class SilenceError extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super('The model endpoint fell silent.');
    this.milliseconds = milliseconds;
  }
}

/** Names the failure and its cure. Errors of the service's own words are cut, and cleared of keys. */
export function modelFailureOf(thrown: unknown, context: FailureContext): ModelFailure {
  const refused = domainErrorWithin(thrown);
  if (refused !== undefined) return { error: refused, retryable: false, retryAfterMs: undefined };
  const { words } = context;
  const endpoint = `${words.endpoint} at ${endpointName(context.baseUrl)}`;
  if (thrown instanceof SilenceError) {
    const seconds = Math.round(thrown.milliseconds / 100) / 10;
    const cure = `Try again; if it stays so, check that the service behind ${words.address} is not overloaded.`;
    return once('model_timeout', `${endpoint} sent nothing for ${seconds} s. ${cure}`);
  }
  if (thrown instanceof BadAnswerError) {
    const cure = `Check that ${words.address} is the address of an OpenAI-compatible API; it usually ends in /v1.`;
    return once('model_bad_answer', `${endpoint} answered with ${thrown.what} instead of a chat completion. ${cure}`);
  }
  if (thrown instanceof StreamedError) return providerFailure(endpoint, saidBy(thrown.payload), undefined, context);
  if (thrown instanceof StatusError) {
    if (/^\s*\S*\s*<(!doctype|html)/i.test(thrown.message)) {
      return modelFailureOf(new BadAnswerError(`a web page (status ${thrown.status})`), context);
    }
    const said = { ...saidBy(thrown.payload ?? thrown.message), status: thrown.status };
    return providerFailure(endpoint, said, retryAfterOf(thrown.headers), context);
  }
  const reason = transportCode(thrown);
  const happened = context.answering ? 'broke off its answer' : 'did not answer';
  const cure = `Check ${words.address} and that the service is running.`;
  return {
    error: new DomainError('model_failed', 'model_unreachable', `${endpoint} ${happened} (${reason}). ${cure}`),
    retryable: true,
    retryAfterMs: undefined,
  };
}

interface Said {
  status: number | undefined;
  code: string | undefined;
  message: string | undefined;
}

/** What a provider's error object says, in any of the shapes they use. */
function saidBy(payload: unknown): Said {
  const outer = (typeof payload === 'object' && payload !== null ? payload : { message: payload }) as Record<
    string,
    unknown
  >;
  const inner = outer['error'] ?? outer;
  const error = (typeof inner === 'object' && inner !== null ? inner : { message: inner }) as Record<string, unknown>;
  const code = error['code'] ?? error['type'];
  const status = [error['code'], error['status'], outer['status']].map(Number).find((value) => value >= 400);
  return {
    status: status !== undefined && status < 600 ? status : undefined,
    code: typeof code === 'number' ? String(code) : textOf(code),
    message: textOf(error['message']),
  };
}

function providerFailure(
  endpoint: string,
  said: Said,
  retryAfterMs: number | undefined,
  context: FailureContext,
): ModelFailure {
  const { status, code } = said;
  const { words } = context;
  const itSaid = said.message === undefined ? '' : ` It said: ${quoted(said.message, context)}`;
  const label = [status, code === String(status) ? undefined : code].filter((part) => part !== undefined).join(' ');
  const failure = (kind: DomainErrorKind, ours: string, message: string, retryable: boolean) => ({
    error: new DomainError(kind, ours, `${endpoint} ${message}${itSaid}`, { status, provider_code: code }),
    retryable,
    retryAfterMs,
  });
  if (status === 402 || code === 'insufficient_quota') {
    return failure('budget_exhausted', 'model_quota_exhausted', `has no budget left (${label}). Top it up.`, false);
  }
  if (status === 429 || code === 'rate_limit_exceeded') {
    const cure = 'Wait a moment and try again.';
    return failure('rate_limited', 'model_rate_limited', `takes no more requests for now (${label}). ${cure}`, true);
  }
  if (status === 401 || status === 403) {
    return failure('model_failed', 'model_refused', `refused the key (${label}). Check ${words.key}.`, false);
  }
  if (status === 404) {
    const cure = `Check that it offers the model "${context.model}" (${words.model}) and that ${words.address} ends as its API does, usually in /v1.`;
    return failure('model_failed', 'model_refused', `found no such model or address (${label}). ${cure}`, false);
  }
  if (status !== undefined && status < 500 && status !== 408) {
    return failure('model_failed', 'model_refused', `refused the request (${label}).`, false);
  }
  const about = label === '' ? '' : ` (${label})`;
  return failure('model_failed', 'model_unavailable', `failed${about}. Try again in a while.`, status !== undefined);
}

function once(code: string, message: string): ModelFailure {
  return { error: new DomainError('model_failed', code, message), retryable: false, retryAfterMs: undefined };
}

/** Scheme, host and path alone: an address may carry a user, a password or a key. */
function endpointName(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

function quoted(message: string, { apiKey }: FailureContext): string {
  const hidden = apiKey.length > 3 ? message.replaceAll(apiKey, '***') : message;
  const clean = hidden.replaceAll(/\b(?:sk|pk|key|bearer)[-_ ][\w*.-]{6,}/gi, '***');
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}

function retryAfterOf(headers: Headers | undefined): number | undefined {
  const value = headers?.get('retry-after');
  if (value === null || value === undefined) return undefined;
  const seconds = Number(value);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** A connection that was refused on our side says why, within what the SDK makes of it. */
function domainErrorWithin(thrown: unknown): DomainError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof DomainError) return error;
  }
  return undefined;
}

/** The system's name for a broken connection, from the depths of `cause`. */
function transportCode(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError && error.errors[0] instanceof Error) error.cause ??= error.errors[0];
  }
  return 'connection failed';
}

/** A call that failed after its answer had begun: the failure, and what had been used by then. */
export class BrokenAnswerError extends DomainError {
  readonly usage: TokenUsage;

  constructor({ kind, code, message, details }: DomainError, usage: TokenUsage) {
    super(kind, code, message, details);
    this.usage = usage;
  }
}
