import type { ProviderKind } from '@docwright/contract';

/** Where providers of the same protocol refuse what others require. */
export interface ProviderDialect {
  /** The content of an assistant message that has calls and no text. */
  readonly emptyContent: null | '';
  /** Whether the model wants its unsigned reasoning back in history. */
  readonly wantsReasoningContent: boolean;
  /** Whether the endpoint charges a repeated beginning once only where `cache_control` marks its end. */
  readonly wantsCacheMarks: boolean;
  /** How a JSON schema is kept to: enforced by the endpoint, or written into the text, with JSON alone enforced or not. */
  readonly schemas: 'strict' | 'json_object' | 'text';
  readonly takesTemperature: boolean;
  /**
   * Some refuse a system message that is not the first one. Proxies move it to the front for others (Anthropic, Bedrock, Gemini
   * take system text as a field of its own), where it would change the beginning that they cache. There it is the person's role.
   */
  readonly tailRole: 'system' | 'user';
}

/** Bedrock's and Anthropic's routes refuse the empty string; Ollama and LM Studio refuse null, and nobody else minds "". */
const refusesEmptyString = /bedrock|anthropic|claude/i;
const wantsReasoningContent = /deepseek|moonshot|kimi/i;
const wantsCacheMarks = /bedrock|anthropic|claude/i;
/** Models that reason take no temperature. */
const refusesTemperature = /(^|\/)(o\d|gpt-5)/i;

/**
 * As the endpoint's kind says. Without one, or for `other` (a proxy speaks for many), told from the model's name and, for
 * a provider addressed directly, from the endpoint's host.
 */
export function dialectOf(baseUrl: string, model: string, kind: ProviderKind = 'other'): ProviderDialect {
  const provider = kind === 'other' ? `${URL.parse(baseUrl)?.hostname ?? ''} ${model}` : kind;
  return {
    emptyContent: refusesEmptyString.test(provider) ? null : '',
    wantsReasoningContent: wantsReasoningContent.test(provider),
    wantsCacheMarks: wantsCacheMarks.test(provider),
    schemas:
      kind === 'anthropic' || kind === 'bedrock' ? 'text' : /deepseek/i.test(provider) ? 'json_object' : 'strict',
    takesTemperature: !refusesTemperature.test(model),
    tailRole: /mistral|anthropic|claude|bedrock|gemini|vertex/i.test(provider) ? 'user' : 'system',
  };
}

const hosts: readonly (readonly [RegExp, ProviderKind])[] = [
  [/(^|\.)openai\.(azure\.)?com$/, 'openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)googleapis\.com$/, 'gemini'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)mistral\.ai$/, 'mistral'],
  [/^bedrock.*\.amazonaws\.com$/, 'bedrock'],
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

/** The kind of an endpoint by its address, else by the name of a model there. */
export function guessProviderKind(baseUrl: string, model = ''): ProviderKind {
  const url = URL.parse(baseUrl);
  if (url?.port === ollamaPort) return 'ollama';
  const host = url?.hostname ?? '';
  const found =
    hosts.find(([pattern]) => pattern.test(host)) ?? models.find(([pattern]) => pattern.test(model.toLowerCase()));
  return found?.[1] ?? 'other';
}
