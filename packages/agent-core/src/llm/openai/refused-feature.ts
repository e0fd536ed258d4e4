import type { ProviderKind, RefusedPart, RequestPart } from '@docwright/contract';
import type { LlmRequest } from '../llm-client.ts';
import { StatusError } from '../model-errors.ts';
import { messageOfProvider } from '../model-failure.ts';
import { dialectOf } from './provider-dialect.ts';
import { reasoningFormOf } from './reasoning-form.ts';

const reasoningWords = /reasoning|thinking|budget_tokens|\beffort\b/i;
/** About the thinking of earlier messages, which has nothing to do with the wish of this request. */
const aboutSignedBlocks = /signature|thinking.{0,3} block|redacted_thinking/i;

/** Patterns of error messages that name a part, most specific first. */
const refusalPatterns: readonly (readonly [RequestPart, RegExp])[] = [
  ['logprobs', /log_?prob/i],
  ['temperature', /temperature/i],
  ['cache_control', /cache_control/i],
  ['response_format', /response_format|json_schema|structured output|\bstrict\b/i],
  ['stream_options', /stream_options|include_usage/i],
  [
    'tools',
    /(not|n't) support\w* (tool|function)|(tools?|function.call\w*|tool.(use|choice|calling))\W.{0,40}(not (supported|allowed|available|enabled)|unsupported|requires)/i,
  ],
  [
    'system_tail',
    /system.{0,40}(beginning|first|start|only|not supported|unsupported)|roles? must alternate|(last|final) message.{0,40}user|(unexpected|invalid) role.{0,20}system/i,
  ],
  ['images', /\bimages?(_url)?\b|vision|multimodal/i],
];

const unknownArgument =
  /(unrecogni[sz]ed|unknown|unexpected|unsupported|extra|invalid)\W+(\w+\W+){0,3}(argument|parameter|field|input|key|property|name)/i;

/** Statuses with which endpoints fail on images that they do not support. */
const failsOnImages = new Set([400, 404, 415, 422, 500, 501]);

/** Whether a request shows images. */
export function hasImages({ messages }: LlmRequest): boolean {
  return messages.some(
    ({ role, ...message }) => role !== 'system' && 'images' in message && (message.images?.length ?? 0) > 0,
  );
}

interface Refusal {
  readonly request: LlmRequest;
  readonly baseUrl: string;
  readonly kind: ProviderKind | undefined;
  /** What the endpoint is known to refuse already. */
  readonly refused: ReadonlySet<RequestPart>;
  /** Whether it is unknown if the model sees images. */
  readonly isProbing: boolean;
}

/** The part of a request that an endpoint refused; undefined for any other failure. */
export function refusedPartOf(error: unknown, refusal: Refusal): RequestPart | undefined {
  const { request, refused, isProbing } = refusal;
  if (!(error instanceof StatusError)) return undefined;
  const canBlameImages = isProbing && hasImages(request) && !refused.has('images') && failsOnImages.has(error.status);
  const text = `${error.message} ${JSON.stringify(error.payload ?? '')}`.slice(0, 4000);
  const hasLogprobs = request.logprobs === true && !refused.has('logprobs');
  // Some endpoints answer with an unusual status.
  if (hasLogprobs && error.status < 600 && error.status !== 429 && /log_?prob/i.test(text)) return 'logprobs';
  if (error.status !== 400 && error.status !== 422) return canBlameImages ? 'images' : undefined;
  const dialect = dialectOf(refusal.baseUrl, request.model, refusal.kind);
  const reasoning = reasoningFormOf(request, dialect, refused)?.part;
  if (reasoning !== undefined && reasoningWords.test(text)) return aboutSignedBlocks.test(text) ? undefined : reasoning;
  const isSent: Partial<Record<RequestPart, boolean>> = {
    logprobs: hasLogprobs,
    temperature: request.temperature !== undefined,
    cache_control: true,
    stream_options: true,
    tools: (request.tools?.length ?? 0) > 0,
    system_tail: request.messages.length > 1 && request.messages.at(-1)?.role === 'system',
    response_format: request.responseFormat !== undefined,
    images: hasImages(request),
  };
  const named = refusalPatterns.find(
    ([name, words]) => isSent[name] === true && !refused.has(name) && words.test(text),
  )?.[0];
  // If the refusal names no argument, the likeliest is the one that the fewest endpoints know.
  const likeliest = reasoning ?? (hasLogprobs ? ('logprobs' as const) : undefined);
  const unknown = unknownArgument.test(text) ? likeliest : undefined;
  return named ?? unknown ?? (canBlameImages ? 'images' : undefined);
}

/** What is sent in the place of a refused part. */
const plainerForms: Readonly<Record<RequestPart, string>> = {
  logprobs: 'nothing: the risk of a value is estimated without them',
  temperature: 'nothing: the model has its own',
  response_format: 'the schema, written into the prompt',
  cache_control: 'nothing: the endpoint caches on its own, or not at all',
  images: 'the text alone, with a note that images were left out',
  stream_options: 'nothing: tokens are estimated where the endpoint counts none',
  tools: 'the tools, written into the prompt',
  system_tail: 'the last message from the user, marked as Docwright’s',
  thinking: 'reasoning_effort, or nothing',
  reasoning_effort: 'nothing: the model thinks as its endpoint decides',
  reasoning_effort_none: 'reasoning_effort "minimal"',
  reasoning_effort_minimal: 'nothing: the model thinks as its endpoint decides',
  reasoning: 'nothing: the model thinks as its endpoint decides',
};

/** A refusal of these images and not of images: it says nothing about the model. */
const aboutTheseImages =
  /too (many|large|big|small)|exceed|maximum|at most|limit|dimension|corrupt|could not (process|decode)/i;

/** What is remembered of a refusal; undefined if it holds for this request alone. */
export function rememberedRefusal(
  refused: RequestPart,
  error: unknown,
  request: LlmRequest,
  apiKey: string,
): Omit<RefusedPart, 'model' | 'at'> | undefined {
  if (refused === 'images' && error instanceof StatusError && aboutTheseImages.test(error.message)) return undefined;
  return { refused, instead: plainerForms[refused], reason: reasonOf(error, request, apiKey) };
}

const maxReason = 200;
/** A piece of a message of this length in a reason means that the endpoint repeats the request. */
const repeatedPiece = 24;

/** The endpoint's words about a refusal; null if it has none, or if it repeats the request, which can be a document's text. */
function reasonOf(error: unknown, { messages }: LlmRequest, apiKey: string): string | null {
  const reason = messageOfProvider(error, apiKey)?.replaceAll(/\s+/g, ' ').trim().slice(0, maxReason) ?? '';
  if (reason === '') return null;
  const sent = messages.map(({ content }) => content.replaceAll(/\s+/g, ' ')).join('\n');
  for (let at = 0; at + repeatedPiece <= reason.length; at++) {
    if (sent.includes(reason.slice(at, at + repeatedPiece))) return null;
  }
  return reason;
}
