import { DomainError, type DomainErrorKind } from '@docwright/contract';
import type { TokenUsage } from './llm-client.ts';
import { BadAnswerError, SilenceError, StatusError, StreamedError } from './model-errors.ts';

/** What a failed model call is to us: the error to show, and whether trying once more makes sense. */
export interface ModelFailure {
  readonly error: DomainError;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
}

/** How an error names where an endpoint's address, key and model are set, so that a person can put it right. */
export interface EndpointLabels {
  /** Completes `The model "…"`, such as ` of the provider "acme"`; may be empty. */
  readonly where: string;
  readonly address: string;
  readonly key: string;
  readonly model: string;
  /** Who can change these, as a sentence begins. */
  readonly keeper: string;
}

/** The operator's own endpoint. */
export const settingsLabels: EndpointLabels = {
  where: '',
  address: 'LLM_BASE_URL',
  key: 'LLM_API_KEY',
  model: 'LLM_MODEL',
  keeper: 'Whoever runs the server',
};

/** Whom an error names, and what it must not repeat. */
interface FailureContext {
  readonly words: EndpointLabels;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Whether something of the answer had been read. */
  readonly answering: boolean;
}

/**
 * The failure as a person is told it: the model and the cure. Where it was asked, and the status and code of the answer, is
 * its `cause`, for the log: without the answer's words, which may repeat a document, and cleared of keys. So it is for admins too, who asked in a chat as anybody else; they find in the
 * settings what they have entered there.
 */
export function modelFailureOf(thrown: unknown, context: FailureContext): ModelFailure {
  const refused = domainErrorWithin(thrown);
  if (refused !== undefined) return { error: refused, retryable: false, retryAfterMs: undefined };
  const { address, keeper } = context.words;
  const model = nameOf(context);
  if (thrown instanceof SilenceError) {
    const seconds = Math.round(thrown.milliseconds / 100) / 10;
    const message = `${model} sent nothing for ${seconds} s. ${again} ${keeper} can check that the service behind ${address} is not overloaded.`;
    return once(context, 'model_timeout', message, `sent nothing for ${seconds} s`);
  }
  if (thrown instanceof BadAnswerError) {
    const message = `${model} sent an answer that cannot be read. Choose another model. ${keeper} can check that ${address} is the address of an OpenAI-compatible API; it usually ends in /v1.`;
    return once(context, 'model_bad_answer', message, `answered with ${thrown.what} instead of a chat completion`);
  }
  if (thrown instanceof StreamedError) return providerFailure(saidBy(thrown.payload), undefined, context);
  if (thrown instanceof StatusError) {
    if (/^\s*\S*\s*<(!doctype|html)/i.test(thrown.message)) {
      return modelFailureOf(new BadAnswerError(`a web page (status ${thrown.status})`), context);
    }
    const said = { ...saidBy(thrown.payload ?? thrown.message), status: thrown.status };
    return providerFailure(said, retryAfterOf(thrown.headers), context);
  }
  const happened = context.answering ? 'broke off its answer' : 'cannot be reached';
  const message = `${model} ${happened}. ${again} ${keeper} can check ${address} and that the service is running.`;
  const account = `${context.answering ? 'broke off its answer' : 'did not answer'} (${transportCode(thrown)})`;
  const error = failureError(context, 'model_failed', 'model_unreachable', message, account);
  return { error, retryable: true, retryAfterMs: undefined };
}

const again = 'Try again; if it stays so, choose another model.';

interface Said {
  status: number | undefined;
  code: string | undefined;
  type: string | undefined;
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
    type: textOf(error['type']),
    message: textOf(error['message']),
  };
}

function providerFailure(said: Said, retryAfterMs: number | undefined, context: FailureContext): ModelFailure {
  const { status, code } = said;
  const { words } = context;
  const keeper = words.keeper;
  const plainCode = code !== undefined && isPlainCode(code, context) ? code : undefined;
  const label = [status, plainCode === String(status) ? undefined : plainCode].filter((part) => part !== undefined);
  // Not what it says in words: services repeat the request in them, and with it the text of documents.
  const account = `answered with an error (${label.join(' ') || 'without a code'})`;
  const details = { status, provider_code: plainCode };
  const failure = (kind: DomainErrorKind, ours: string, message: string, retryable: boolean) => ({
    error: failureError(context, kind, ours, `${nameOf(context)} ${message}`, account, details),
    retryable,
    retryAfterMs,
  });
  if (says(said, /budget_exceeded|ExceededBudget|budget has been exceeded/i)) {
    const message = `has used up the budget that its proxy allows this key. Choose another model. ${keeper} can raise the budget of ${words.key} there.`;
    return failure('budget_exhausted', 'model_budget_exceeded', message, false);
  }
  if (says(said, /credit balance is too low|insufficient credits?|not enough credits?/i)) {
    const message = `cannot be paid for: the credit of its account is too low. Choose another model. ${keeper} can buy credit at the service.`;
    return failure('budget_exhausted', 'model_credit_too_low', message, false);
  }
  if (says(said, /unsupported_country|country, region, or territory not supported|location is not supported/i)) {
    const message = `does not serve the country that the server stands in. Choose another model. ${keeper} can enter a service behind ${words.address} that does.`;
    return failure('model_failed', 'model_country_unsupported', message, false);
  }
  if (status === 402 || says(said, /insufficient_quota|exceeded your current quota/i)) {
    const message = `cannot be paid for any more: its account is used up. Choose another model. ${keeper} can top it up.`;
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
  if (status === 401 || status === 403) {
    const message = `rejected the API key. Choose another model. ${keeper} can check ${words.key}.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  if (status === 404) {
    const message = `was not found where it was asked for. Choose another model. ${keeper} can check ${words.model}, and that ${words.address} ends as its API does, usually in /v1.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  if (mentionsContext(said)) {
    const message =
      'was sent more than it can read at once. Shorten the request or begin a new conversation, or choose a model with a longer context.';
    return failure('model_failed', 'model_context_exceeded', message, false);
  }
  if (status !== undefined && status < 500 && status !== 408) {
    const message = `refused the request. Word it differently or choose another model. ${keeper} finds its status and code in the server's log.`;
    return failure('model_failed', 'model_refused', message, false);
  }
  const message = 'failed. Try again in a while, or choose another model.';
  return failure('model_failed', 'model_unavailable', message, status !== undefined);
}

/** Whether a provider's code, type or message says it; proxies move one into the other. */
function says({ code, type, message }: Said, pattern: RegExp): boolean {
  return [code, type, message].some((text) => text !== undefined && pattern.test(text));
}

/** What a service asks us to wait, within what anybody would wait for: one second to one hour. */
function retryAfterSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.min(3600, Math.max(1, Math.ceil(milliseconds / 1000)));
}

function waitLabel(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** The services have no common code for it; what they say of it has these words in common. */
function mentionsContext({ status, code, message }: Said): boolean {
  if (status === 413 || /context|too_long/i.test(code ?? '')) return true;
  return /context (length|window|size)|maximum (context|number of tokens)|(prompt|input) is too long|too many (input )?tokens/i.test(
    message ?? '',
  );
}

function once(context: FailureContext, code: string, message: string, account: string): ModelFailure {
  const error = failureError(context, 'model_failed', code, message, account);
  return { error, retryable: false, retryAfterMs: undefined };
}

/** `account` completes the sentence that begins with the endpoint. */
function failureError(
  context: FailureContext,
  kind: DomainErrorKind,
  code: string,
  message: string,
  account: string,
  details?: unknown,
): DomainError {
  const cause = new Error(`${endpointName(context.baseUrl)} ${cleared(account, context)}`);
  return new DomainError(kind, code, message, details, { cause });
}

function nameOf({ model, words }: FailureContext): string {
  return `The model "${model}"${words.where}`;
}

/** A provider's code that is one, and not a sentence or a key. */
function isPlainCode(code: string, context: FailureContext): boolean {
  return /^[\w.:-]{1,60}$/.test(code) && cleared(code, context) === code;
}

/** Scheme, host and path alone: an address may carry a user, a password or a key. */
function endpointName(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

function cleared(text: string, { apiKey }: FailureContext): string {
  const hidden = apiKey.length > 3 ? text.replaceAll(apiKey, '***') : text;
  const clean = hidden.replaceAll(/\b(?:sk|pk|key|bearer)[-_ ][\w*.-]{6,}/gi, '***');
  return clean.length > 400 ? `${clean.slice(0, 400)}…` : clean;
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

  constructor({ kind, code, message, details, cause }: DomainError, usage: TokenUsage) {
    super(kind, code, message, details, { cause });
    this.usage = usage;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
