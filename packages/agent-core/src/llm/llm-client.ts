/**
 * What a model thought before it answered. Kept in the order it came, sent back only to the model that wrote it:
 * `text` as a plain field of the message, `thinking` and `redacted` as signed blocks.
 */
export type ReasoningBlock =
  | { readonly kind: 'text'; readonly field: 'reasoning_content' | 'reasoning'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'redacted'; readonly data: string };

/** A call as a model wrote it, before it has an id of ours. */
export interface ModelToolCall {
  readonly name: string;
  /** JSON text; `{}` where the model wrote nothing. Whether it is JSON at all, the executor finds out. */
  readonly arguments: string;
  /** The provider's own id, whole, where it gave one. */
  readonly providerId?: string;
  /** What the provider wants back with this call, untouched (Gemini's thought signature). */
  readonly extraContent?: unknown;
  /** The answer ended inside this call: it is never run. */
  readonly truncated?: true;
}

export interface LlmToolCall extends ModelToolCall {
  /** Ours, unique for good; minted by the loop. */
  readonly id: string;
}

/** A stretch of the content, in the order of the content, with the probability that the model gave it. */
export interface AnswerToken {
  /** Characters of the content. */
  readonly length: number;
  /** 0 to 1; undefined where the service does not say. */
  readonly probability: number | undefined;
}

/** What one model call answered. */
export interface ModelAnswer {
  readonly content: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly reasoning: readonly ReasoningBlock[];
  /** How many further calls were not read, since the answer had too many. */
  readonly omittedCalls?: number;
  /** Of the whole content, where they were asked for and the service gave some. */
  readonly tokens?: readonly AnswerToken[];
  /** The model that wrote it, where it may be another than the one asked for (a fallback). */
  readonly model?: string;
}

export interface LlmAssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly LlmToolCall[];
  readonly reasoning?: readonly ReasoningBlock[];
  /** The model that wrote it: provider ids, signatures and reasoning go back to no other. */
  readonly model?: string;
}

export type LlmMessage =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      /** Data URLs that passed `checkedImage`. */
      readonly images?: readonly string[];
    }
  | LlmAssistantMessage
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly content: string;
      /** What the result shows. Attached when a request is made, and never stored. */
      readonly images?: readonly string[];
    };

/** A function tool in OpenAI's form, sent as it is. */
export interface LlmTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

export interface LlmRequest {
  readonly model: string;
  readonly messages: readonly LlmMessage[];
  readonly tools?: readonly LlmTool[];
  /** OpenAI's `response_format`; left out for endpoints that refuse it. */
  readonly responseFormat?: unknown;
  /** Left out for models that refuse it. */
  readonly temperature?: number;
  /** Asks for the probabilities of the answer's tokens; left out for endpoints that refuse it. */
  readonly logprobs?: boolean;
  readonly signal?: AbortSignal;
  /** How many times as long as usual the answer may let itself be waited for; once where left out. */
  readonly patience?: number;
}

/** Tokens of one model call; `estimated` where the provider counted none. */
export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Of the prompt's tokens, those that the endpoint had in its cache; absent where it does not say. */
  readonly cached_tokens?: number;
  readonly estimated: boolean;
}

export type LlmChunk =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | {
      readonly type: 'finish';
      readonly answer: ModelAnswer;
      /** As the provider said it; `missing` where it said none. */
      readonly finishReason: string;
      readonly usage: TokenUsage;
    };

/**
 * A chat model. `stream` gives chunks as they come, those that came together in one list: a promise for each word would
 * cost more than all that is done with it. It ends with exactly one `finish`, the last chunk of the last list, or throws: a
 * DomainError of kind `model_failed`, `rate_limited` or `budget_exhausted` for what the service did, the signal's reason
 * where it was aborted.
 */
export interface LlmClient {
  stream(request: LlmRequest): AsyncIterable<readonly LlmChunk[]>;
}
