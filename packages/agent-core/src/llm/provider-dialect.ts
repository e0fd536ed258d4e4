/** Where providers of the same protocol refuse what others require. */
export interface ProviderDialect {
  /** The content of an assistant message that has calls and no text. */
  readonly emptyContent: null | '';
  /** Whether the model wants its unsigned reasoning back in history. */
  readonly wantsReasoningContent: boolean;
}

/** Bedrock's and Anthropic's routes refuse the empty string; Ollama and LM Studio refuse null, and nobody else minds "". */
const refusesEmptyString = /bedrock|anthropic|claude/i;
const wantsReasoningContent = /deepseek|moonshot|kimi/i;

/** Told from the model's name and, for a provider addressed directly, from the endpoint's host. */
export function dialectOf(baseUrl: string, model: string): ProviderDialect {
  const provider = `${URL.parse(baseUrl)?.hostname ?? ''} ${model}`;
  return {
    emptyContent: refusesEmptyString.test(provider) ? null : '',
    wantsReasoningContent: wantsReasoningContent.test(provider),
  };
}
