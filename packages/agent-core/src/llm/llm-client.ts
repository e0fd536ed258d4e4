import type { ReasoningLevel, RefusedPart, RequestPart } from '@docwright/contract';

/**
 * A block of a model's reasoning. Blocks keep their order and are sent back only to the model that wrote them: `text` as a
 * plain field of the message, `thinking` and `redacted` as signed blocks, `detail` as an item of `reasoning_details`.
 */
export type ReasoningBlock =
  | { readonly kind: 'text'; readonly field: 'reasoning_content' | 'reasoning'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'redacted'; readonly data: string }
  | { readonly kind: 'detail'; readonly detail: Readonly<Record<string, unknown>> };

/** A call as the model wrote it, before the loop assigns an id. */
export interface ModelToolCall {
  readonly name: string;
  /** The arguments as text, not checked; `{}` if the model wrote none. */
  readonly arguments: string;
  /** The provider's id, if it sent one. */
  readonly providerId?: string;
  /** Data that the provider needs back with this call, unchanged (Gemini's thought signature). */
  readonly extraContent?: unknown;
  /** The answer ended inside this call: it is never run. */
  readonly truncated?: true;
  /** The model wrote the call as text that is no call, `arguments` being the text. It is marked as truncated too. */
  readonly unreadable?: true;
  /** The JSON of the call was not valid and has been repaired. */
  readonly repaired?: true | undefined;
}

/** A call in a transcript. */
export interface LlmToolCall extends ModelToolCall {
  /** The unique id that the loop assigned. */
  readonly id: string;
}

/** A token of the content, in order, with its probability. */
export interface AnswerToken {
  /** Number of characters of the content. */
  readonly length: number;
  /** 0 to 1; undefined if the service does not report it. */
  readonly probability: number | undefined;
}

/** The answer of one model call. */
export interface ModelAnswer {
  readonly content: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly reasoning: readonly ReasoningBlock[];
  /** The model declined to answer; `content` has its words. */
  readonly isRefusal?: true;
  /** Number of calls that were not read, because the answer had too many. */
  readonly omittedCalls?: number;
  /** The tokens of the whole content, if requested and supported. */
  readonly tokens?: readonly AnswerToken[];
  /** The request had images, and its endpoint got none of them, because it refuses them: the model has seen nothing. */
  readonly imagesLeftOut?: true;
  /** The model that wrote the answer; it can differ from the requested one (a fallback). */
  readonly model?: string;
}

/** A message of the model: text, calls, or both. */
export interface LlmAssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly LlmToolCall[];
  readonly reasoning?: readonly ReasoningBlock[];
  /** The model that wrote the message: provider ids, signatures and reasoning are sent to no other model. */
  readonly model?: string;
}

/** A message of a transcript, independent of the provider. A `tool` message is the result of a call. */
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
      /** Images of the result. They are attached when a request is made, and never stored. */
      readonly images?: readonly string[];
    };

/** A function tool in OpenAI's format, sent unchanged. */
export interface LlmTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** What an endpoint is known to refuse for a model. */
export interface ModelDialect {
  readonly refused: ReadonlySet<RequestPart>;
  /** Called when the endpoint has accepted a request without these parts. */
  remember(parts: readonly Omit<RefusedPart, 'model' | 'at'>[]): void;
}

/** One request to a model. */
export interface LlmRequest {
  readonly model: string;
  readonly messages: readonly LlmMessage[];
  readonly tools?: readonly LlmTool[];
  /** OpenAI's `response_format`; not sent to endpoints that refuse it. */
  readonly responseFormat?: unknown;
  /** Not sent to models that refuse it. */
  readonly temperature?: number;
  /** Requests the probabilities of the answer's tokens; not sent to endpoints that refuse it. */
  readonly logprobs?: boolean;
  /** The ids of documents whose content is in the request, beside the one it is for. Never sent. */
  readonly documents?: readonly string[];
  readonly signal?: AbortSignal;
  /** How much the model thinks, in the form that its endpoint takes; the endpoint's default without it. */
  readonly reasoning?: ReasoningLevel | undefined;
  /** What the endpoint refused before; the client remembers it for itself by default. Never sent. */
  readonly dialect?: ModelDialect;
  /** Factor for the client's time limits; 1 by default. */
  readonly patience?: number;
}

/** The tokens of one model call; `estimated` if the provider counted none. */
export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** The number of prompt tokens that the endpoint had in its cache; absent if unknown. */
  readonly cached_tokens?: number;
  readonly estimated: boolean;
}

/** A piece of a streamed answer; `finish` carries the complete answer. */
export type LlmChunk =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | {
      readonly type: 'finish';
      readonly answer: ModelAnswer;
      /** The provider's finish reason; `missing` if it sent none. */
      readonly finishReason: string;
      readonly usage: TokenUsage;
    };

/**
 * A chat model. `stream` yields chunks as they arrive, in lists: a promise for each word would cost more than its
 * processing. The last chunk of the last list is the only `finish`.
 *
 * Throws a DomainError of kind `model_failed`, `rate_limited` or `budget_exhausted` for a failure of the service, and the
 * signal's reason after an abort.
 */
export interface LlmClient {
  stream(request: LlmRequest): AsyncIterable<readonly LlmChunk[]>;
}
