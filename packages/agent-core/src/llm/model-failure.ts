import { DomainError, type DomainErrorKind } from '@docwright/contract';
import type { TokenUsage } from './llm-client.ts';
import { BadAnswerError, SilenceError, StatusError, StreamedError } from './model-errors.ts';

/** A failed model call: the error to show, and whether a retry makes sense. */
export interface ModelFailure {
  readonly error: DomainError;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
}

/** The names of an endpoint's settings in error messages, so that the reader knows what to correct. */
export interface EndpointLabels {
  /** Completes `The model "…"`, for example ` of the provider "acme"`; can be empty. */
  readonly where: string;
  readonly address: string;
  readonly key: string;
  readonly model: string;
  /** The role that can change the settings, as the subject of a sentence. */
  readonly administrator: string;
}

/** The operator's own endpoint. */
export const settingsLabels: EndpointLabels = {
  where: '',
  address: 'LLM_BASE_URL',
  key: 'LLM_API_KEY',
  model: 'LLM_MODEL',
  administrator: 'The operator of the server',
};

/** The endpoint that an error names, and the secrets that it must not contain. */
interface FailureContext {
  readonly labels: EndpointLabels;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Whether a part of the answer had been read. */
  readonly answering: boolean;
}

/**
 * Converts a failure to an error for users: the message names the model and what to do. For the log, `cause` has the
 * endpoint, status and code. It has neither keys nor the text of the answer, which can repeat a document.
 */
export function modelFailureOf(thrown: unknown, context: FailureContext): ModelFailure {
  const refused = domainErrorWithin(thrown);
  if (refused !== undefined) return { error: refused, retryable: false, retryAfterMs: undefined };
  const { address, administrator } = context.labels;
  const model = nameOf(context);
  if (thrown instanceof SilenceError) {
    const seconds = Math.round(thrown.milliseconds / 100) / 10;
    const message = `${model} sent nothing for ${seconds} s. ${retryAdvice} ${administrator} can check that the service behind ${address} is not overloaded.`;
    return notRetryable(context, 'model_timeout', message, `sent nothing for ${seconds} s`);
  }
  if (thrown instanceof BadAnswerError) {
    const message = `${model} sent an answer that cannot be read. Choose another model. ${administrator} can check that ${address} is the address of an OpenAI-compatible API; it usually ends in /v1.`;
    return notRetryable(
      context,
      'model_bad_answer',
      message,
      `answered with ${thrown.what} instead of a chat completion`,
    );
  }
  if (thrown instanceof StreamedError) return providerFailure(parseProviderError(thrown.payload), undefined, context);
  if (thrown instanceof StatusError) {
    if (/^\s*\S*\s*<(!doctype|html)/i.test(thrown.message)) {
      // A page of a proxy: its status says what happened.
      const reported = { status: thrown.status, code: undefined, type: undefined, message: undefined };
      return providerFailure(reported, retryAfterOf(thrown.headers), context);
    }
    const reported = { ...parseProviderError(thrown.payload ?? thrown.message), status: thrown.status };
    return providerFailure(reported, retryAfterOf(thrown.headers), context);
  }
  const happened = context.answering ? 'broke off its answer' : 'cannot be reached';
  const message = `${model} ${happened}. ${retryAdvice} ${administrator} can check ${address} and that the service is running.`;
  const logText = `${context.answering ? 'broke off its answer' : 'did not answer'} (${transportCode(thrown)})`;
  const error = failureError(context, 'model_failed', 'model_unreachable', message, logText);
  return { error, retryable: true, retryAfterMs: undefined };
}

/** The message of an error status, without keys; undefined if it has none. */
export function messageOfProvider(thrown: unknown, apiKey: string): string | undefined {
  if (!(thrown instanceof StatusError)) return undefined;
  const { message } = parseProviderError(thrown.payload ?? thrown.message);
  return message === undefined ? undefined : redact(message, { apiKey });
}

const retryAdvice = 'Try again. If the problem persists, choose another model.';

interface ProviderError {
  status: number | undefined;
  code: string | undefined;
  type: string | undefined;
  message: string | undefined;
}

/** Parses a provider's error object, which comes in several shapes. */
function parseProviderError(payload: unknown): ProviderError {
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
    type: textOf(error['type']),
    message: textOf(error['message']),
  };
}

function providerFailure(
  reported: ProviderError,
  retryAfterMs: number | undefined,
  context: FailureContext,
): ModelFailure {
  const { status, code } = reported;
  const { labels } = context;
  const { administrator } = labels;
  const plainCode = code !== undefined && isPlainCode(code, context) ? code : undefined;
  const label = [status, plainCode === String(status) ? undefined : plainCode].filter((part) => part !== undefined);
  // Without the provider's message: services repeat the request in it, and with it the text of documents.
  const logText = `answered with an error (${label.join(' ') || 'without a code'})`;
  const details = { status, provider_code: plainCode };
  const failure = (kind: DomainErrorKind, ownCode: string, message: string, retryable: boolean) => ({
    error: failureError(context, kind, ownCode, `${nameOf(context)} ${message}`, logText, details),
    retryable,
    retryAfterMs,
  });
  if (matchesError(reported, /budget_exceeded|ExceededBudget|budget has been exceeded/i)) {
    const message = `has used up the budget that its proxy allows this key. Choose another model. ${administrator} can raise the budget of ${labels.key} there.`;
    return failure('budget_exhausted', 'model_budget_exceeded', message, false);
  }
  if (matchesError(reported, /credit balance is too low|insufficient credits?|not enough credits?/i)) {
    const message = `cannot be paid for: the credit of its account is too low. Choose another model. ${administrator} can buy credit at the service.`;
    return failure('budget_exhausted', 'model_credit_too_low', message, false);
  }
  if (
    matchesError(reported, /unsupported_country|country, region, or territory not supported|location is not supported/i)
  ) {
    const message = `does not serve the country that the server stands in. Choose another model. ${administrator} can enter a service behind ${labels.address} that does.`;
    return failure('model_failed', 'model_country_unsupported', message, false);
  }
  if (status === 402 || matchesError(reported, /insufficient_quota|exceeded your current quota/i)) {
    const message = `cannot be paid for any more: its account is used up. Choose another model. ${administrator} can top it up.`;
    return failure('budget_exhausted', 'model_quota_exhausted', message, false);
  }
  if (status === 429 || code === 'rate_limit_exceeded') {
    const seconds = retryAfterSeconds(retryAfterMs);
    const wait = seconds === undefined ? 'Wait a moment and try again.' : `Try again in ${waitLabel(seconds)}.`;
    const limited = failure('rate_limited', 'model_rate_limited', `takes no more requests for now. ${wait}`, true);
    if (seconds === undefined) return limited;
    const retry_after = { ...details, retry_after_seconds: seconds };
    const { message: text, cause } = limited.error;
    return { ...limited, error: new DomainError('rate_limited', 'model_rate_limited', text, retry_after, { cause }) };
  }
  if (matchesError(reported, /content_?(policy|filter)|content management policy|responsible_?ai/i)) {
    const message =
      'was not asked: the content policy of its service refused the request. Word it differently or choose another model.';
    return failure('model_failed', 'model_content_filtered', message, false);
  }
  if (status === 401 || status === 403) {
    const message = `rejected the API key. Choose another model. ${administrator} can check ${labels.key}.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  if (status === 404) {
    const message = `was not found where it was asked for. Choose another model. ${administrator} can check ${labels.model}, and that ${labels.address} ends as its API does, usually in /v1.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  if (mentionsContext(reported)) {
    const message =
      'was sent more than it can read at once. Shorten the request or begin a new conversation, or choose a model with a longer context.';
    return failure('too_large', 'model_context_exceeded', message, false);
  }
  if (status !== undefined && status < 500 && status !== 408) {
    const message = `refused the request. Word it differently or choose another model. ${administrator} finds its status and code in the server's log.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  const message = 'failed. Try again in a while, or choose another model.';
  return failure('model_failed', 'model_unavailable', message, status !== undefined);
}

/** Whether a provider's code, type or message matches; proxies move one into the other. */
function matchesError({ code, type, message }: ProviderError, pattern: RegExp): boolean {
  return [code, type, message].some((text) => text !== undefined && pattern.test(text));
}

/** The waiting time that a service requests, limited to one second to one hour. */
function retryAfterSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.min(3600, Math.max(1, Math.ceil(milliseconds / 1000)));
}

function waitLabel(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Whether the request exceeds the context. Services have no common code for it, but common words. */
function mentionsContext({ status, code, message }: ProviderError): boolean {
  if (status === 413 || /context|too_long/i.test(code ?? '')) return true;
  return /context (length|window|size)|maximum (context|number of tokens)|(prompt|input) is too long|too many (input )?tokens/i.test(
    message ?? '',
  );
}

function notRetryable(context: FailureContext, code: string, message: string, logText: string): ModelFailure {
  const error = failureError(context, 'model_failed', code, message, logText);
  return { error, retryable: false, retryAfterMs: undefined };
}

/** `logText` completes the sentence of the log that starts with the endpoint. */
function failureError(
  context: FailureContext,
  kind: DomainErrorKind,
  code: string,
  message: string,
  logText: string,
  details?: unknown,
): DomainError {
  const cause = new Error(`${endpointName(context.baseUrl)} ${redact(logText, context)}`);
  return new DomainError(kind, code, message, details, { cause });
}

function nameOf({ model, labels }: FailureContext): string {
  return `The model "${model}"${labels.where}`;
}

/** Whether a provider's code is a plain code, not a sentence or a key. */
function isPlainCode(code: string, context: FailureContext): boolean {
  return /^[\w.:-]{1,60}$/.test(code) && redact(code, context) === code;
}

/** Scheme, host and path only: a URL can contain a user name, a password or a key. */
function endpointName(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

function redact(text: string, { apiKey }: Pick<FailureContext, 'apiKey'>): string {
  const hidden = apiKey.length > 3 ? text.replaceAll(apiKey, '***') : text;
  const clean = hidden.replaceAll(/\b(?:sk|pk|key|bearer)[-_ ][\w*.-]{6,}/gi, '***');
  return clean.length > 400 ? `${clean.slice(0, 400)}…` : clean;
}

function retryAfterOf(headers: Headers | undefined): number | undefined {
  // LiteLLM passes the headers of a provider on with a prefix.
  const value = headers?.get('retry-after') ?? headers?.get('llm_provider-retry-after');
  if (value === null || value === undefined) return undefined;
  const seconds = Number(value);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** The DomainError inside an SDK error: the network guard throws one when it refuses a connection. */
function domainErrorWithin(thrown: unknown): DomainError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof DomainError) return error;
  }
  return undefined;
}

/** The system's code for a broken connection, from the chain of causes. */
function transportCode(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError && error.errors[0] instanceof Error) error.cause ??= error.errors[0];
  }
  return 'connection failed';
}

/** A call that failed after its answer had started: the failure, and the usage up to then. */
export class BrokenAnswerError extends DomainError {
  readonly usage: TokenUsage;

  constructor({ kind, code, message, details, cause }: DomainError, usage: TokenUsage) {
    super(kind, code, message, details, { cause });
    this.usage = usage;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
