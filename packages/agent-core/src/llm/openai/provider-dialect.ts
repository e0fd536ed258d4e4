import type { ProviderKind } from '@docwright/contract';

/** Differences between providers of the same protocol. */
export interface ProviderDialect {
  /** The content of an assistant message that has calls and no text. */
  readonly emptyContent: null | '';
  /** Whether the model needs its unsigned reasoning back in the history. */
  readonly wantsReasoningContent: boolean;
  /** Whether the endpoint caches a prefix only up to `cache_control` marks. */
  readonly wantsCacheMarks: boolean;
  /** How JSON schemas are handled: enforced by the endpoint, or written into the prompt with or without enforced JSON. */
  readonly schemas: 'strict' | 'json_object' | 'text';
  readonly takesTemperature: boolean;
  /**
   * The role of the last message. Some providers refuse a system message that is not the first one. For Anthropic, Bedrock
   * and Gemini proxies move it to the front, where it would change the cached prefix.
   */
  readonly tailRole: 'system' | 'user';
  /** The form in which a request says how much the model thinks. */
  readonly reasoning: ReasoningForm;
  /** Whether the model refuses to think in a round that began without signed thinking. */
  readonly signsThinking: boolean;
}

/**
 * `thinking` with a budget in tokens; `switch` with DeepSeek's `thinking` and an effort; `effort` for OpenAI and all that
 * translate its `reasoning_effort` (LiteLLM, Gemini, Ollama, vLLM); `object` for OpenRouter.
 */
type ReasoningForm = 'thinking' | 'switch' | 'effort' | 'object';

/** Bedrock and Anthropic refuse the empty string. Ollama and LM Studio refuse null; all others accept the empty string. */
const refusesEmptyString = /bedrock|anthropic|claude/i;
const wantsReasoningContent = /deepseek|moonshot|kimi/i;
const wantsCacheMarks = /bedrock|anthropic|claude/i;
/** Reasoning models refuse a temperature. */
const refusesTemperature = /(^|\/)(o\d|gpt-5)/i;

/**
 * The dialect of an endpoint's kind. Without a kind, or for `other` (a proxy for several providers), it is derived from
 * the endpoint's host and the model's name.
 */
export function dialectOf(baseUrl: string, model: string, kind: ProviderKind = 'other'): ProviderDialect {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const provider = kind === 'other' || kind === 'openrouter' ? `${host} ${model}` : kind;
  return {
    emptyContent: refusesEmptyString.test(provider) ? null : '',
    wantsReasoningContent: wantsReasoningContent.test(provider),
    wantsCacheMarks: wantsCacheMarks.test(provider),
    schemas:
      kind === 'anthropic' || kind === 'bedrock' ? 'text' : /deepseek/i.test(provider) ? 'json_object' : 'strict',
    takesTemperature: !refusesTemperature.test(model),
    tailRole: /mistral|anthropic|claude|bedrock|gemini|vertex/i.test(provider) ? 'user' : 'system',
    reasoning: reasoningForm(kind, host),
    signsThinking: refusesEmptyString.test(provider),
  };
}

/** By the endpoint and not by the model: proxies translate `reasoning_effort` for the models behind them. */
function reasoningForm(kind: ProviderKind, host: string): ReasoningForm {
  const known = kind === 'other' ? hosts.find(([pattern]) => pattern.test(host))?.[1] : kind;
  if (known === 'openrouter') return 'object';
  if (known === 'deepseek') return 'switch';
  return known === 'anthropic' || known === 'bedrock' ? 'thinking' : 'effort';
}

const hosts: readonly (readonly [RegExp, ProviderKind])[] = [
  [/(^|\.)openai\.(azure\.)?com$/, 'openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)googleapis\.com$/, 'gemini'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)mistral\.ai$/, 'mistral'],
  [/^bedrock.*\.amazonaws\.com$/, 'bedrock'],
  [/(^|\.)openrouter\.ai$/, 'openrouter'],
  [/ollama/, 'ollama'],
];
const models: readonly (readonly [RegExp, ProviderKind])[] = [
  [/^(bedrock\/|(\w+\.)?anthropic\.claude)/, 'bedrock'],
  [/claude/, 'anthropic'],
  [/gemini|gemma/, 'gemini'],
  [/deepseek/, 'deepseek'],
  [/mistral|mixtral|codestral|magistral|pixtral/, 'mistral'],
  [/^(openai\/)?(gpt-|chatgpt|o\d)/, 'openai'],
];
const ollamaPort = '11434';

/**
 * Guesses the kind of an endpoint from its address, otherwise from the name of a model.
 *
 * @example
 * import { guessProviderKind } from '@docwright/agent-core';
 *
 * guessProviderKind('http://localhost:11434/v1'); // 'ollama'
 * guessProviderKind('http://proxy:4000/v1', 'claude-sonnet'); // 'anthropic'
 */
export function guessProviderKind(baseUrl: string, model = ''): ProviderKind {
  const url = URL.parse(baseUrl);
  if (url?.port === ollamaPort) return 'ollama';
  const host = url?.hostname ?? '';
  const found =
    hosts.find(([pattern]) => pattern.test(host)) ?? models.find(([pattern]) => pattern.test(model.toLowerCase()));
  return found?.[1] ?? 'other';
}
