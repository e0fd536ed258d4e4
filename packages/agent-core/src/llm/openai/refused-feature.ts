import type { LlmRequest } from '../llm-client.ts';
import { StatusError } from '../model-errors.ts';
import type { OptionalFeature } from './completion-request.ts';

/** Patterns of error messages that name a feature, most specific first. */
const refusalPatterns: readonly (readonly [OptionalFeature, RegExp])[] = [
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

/** The optional feature that an endpoint refused; undefined for any other failure. */
export function refusedFeature(
  error: unknown,
  request: LlmRequest,
  refused: ReadonlySet<OptionalFeature>,
  isProbing: boolean,
): OptionalFeature | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const canBlameImages = isProbing && hasImages(request) && !refused.has('images') && failsOnImages.has(error.status);
  const text = `${error.message} ${JSON.stringify(error.payload ?? '')}`.slice(0, 4000);
  const hasLogprobs = request.logprobs === true && !refused.has('logprobs');
  // Some endpoints answer with an unusual status.
  if (hasLogprobs && error.status < 600 && error.status !== 429 && /log_?prob/i.test(text)) return 'logprobs';
  if (error.status !== 400 && error.status !== 422) return canBlameImages ? 'images' : undefined;
  const isSent: Record<OptionalFeature, boolean> = {
    logprobs: hasLogprobs,
    temperature: request.temperature !== undefined,
    cache_control: true,
    stream_options: true,
    tools: (request.tools?.length ?? 0) > 0,
    system_tail: request.messages.length > 1 && request.messages.at(-1)?.role === 'system',
    response_format: request.responseFormat !== undefined,
    images: hasImages(request),
  };
  const named = refusalPatterns.find(([name, words]) => isSent[name] && !refused.has(name) && words.test(text))?.[0];
  // If the refusal names no argument, `logprobs` is the likeliest: the fewest endpoints know it.
  const isUnknownArgument = hasLogprobs && unknownArgument.test(text);
  return named ?? (isUnknownArgument ? 'logprobs' : canBlameImages ? 'images' : undefined);
}
