import type { AnswerToken, LlmChunk, ModelAnswer, TokenUsage } from '../llm-client.ts';
import { BadAnswerError } from '../model-errors.ts';
import { objectsOf, textOf, type CompletionChunk, type CompletionDelta } from './completion-chunk.ts';
import { LeadingThoughts } from './leading-thoughts.ts';
import { ReasoningAccumulator } from './reasoning-accumulator.ts';
import { ToolCallAccumulator } from './tool-call-accumulator.ts';

type Delta = Extract<LlmChunk, { type: 'text_delta' | 'thinking_delta' }>;

const noDeltas: readonly Delta[] = [];

/** Maximum number of characters in one answer: text, thinking and calls. */
const maxAnswerLength = 4_000_000;

export interface FinishedAnswer {
  readonly answer: ModelAnswer;
  /** `missing` if the provider sent none. */
  readonly finishReason: string;
  /** The provider's count, if it sent one. */
  readonly usage: Omit<TokenUsage, 'estimated'> | undefined;
  /** Number of characters, for an estimate of the usage. */
  readonly length: number;
}

/**
 * Combines the chunks of a stream into one answer, in all dialects. Uses neither clock nor network. Throws BadAnswerError
 * if the answer is larger than 4 MB or the arguments of a call are larger than 1 MB.
 */
export class AnswerAccumulator {
  readonly #calls: ToolCallAccumulator;
  readonly #reasoning = new ReasoningAccumulator();
  readonly #leading = new LeadingThoughts();
  #isRefusal = false;
  #content = '';
  readonly #tokens: AnswerToken[] = [];
  #thinkingLength = 0;
  #finishReason: string | undefined;
  #usage: Omit<TokenUsage, 'estimated'> | undefined;

  constructor(isTool: (name: string) => boolean) {
    this.#calls = new ToolCallAccumulator(isTool);
  }

  /** Adds a chunk and returns its new text and thinking. */
  add(chunk: CompletionChunk): readonly Delta[] {
    this.#usage = usageOf(chunk.usage) ?? this.#usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined || choice === null) return noDeltas;
    this.#finishReason = textOf(choice.finish_reason) ?? this.#finishReason;
    const delta = choice.delta ?? choice.message;
    if (delta === undefined || delta === null) return noDeltas;
    if (delta.tool_calls !== undefined) this.#calls.add(delta.tool_calls);
    const deltas = this.#count(this.#addDelta(delta));
    if (choice.logprobs || this.#tokens.length > 0) this.#addTokens(deltas, choice.logprobs?.content);
    if (this.length > maxAnswerLength) throw new BadAnswerError('more than 4 MB');
    return deltas;
  }

  /**
   * Adds chunks that arrived together. What they add to the same text is one delta: each delta is an event that is written,
   * stored and read by itself, and a model that is faster than its readers would make them slower.
   */
  addAll(chunks: readonly CompletionChunk[]): readonly Delta[] {
    const joined: { type: Delta['type']; text: string }[] = [];
    for (const chunk of chunks) {
      for (const { type, text } of this.add(chunk)) {
        const last = joined.at(-1);
        if (last?.type === type) last.text += text;
        else joined.push({ type, text });
      }
    }
    return joined;
  }

  /** The text that was held back because it could begin a mark of reasoning. Call it before `finish`. */
  flush(): readonly Delta[] {
    return this.#count(this.#leading.flush().map((piece) => this.#deltaOf(piece)));
  }

  /** `done`: the stream ended with `[DONE]`, not just by closing. */
  finish(done: boolean): FinishedAnswer {
    const reason = this.#finishReason ?? 'missing';
    const toolCalls = this.#calls.finish(reason === 'length' || (reason === 'missing' && !done));
    return {
      answer: {
        content: this.#content,
        toolCalls,
        reasoning: this.#reasoning.finish(),
        ...(this.#tokens.length > 0 && { tokens: this.#tokens }),
        ...(this.#isRefusal && { isRefusal: true as const }),
        ...(this.#calls.omitted > 0 && { omittedCalls: this.#calls.omitted }),
      },
      finishReason: reason,
      usage: this.usage,
      length: this.length,
    };
  }

  /** The usage so far; see `FinishedAnswer`. */
  get usage(): Omit<TokenUsage, 'estimated'> | undefined {
    return this.#usage;
  }

  get length(): number {
    return this.#content.length + this.#thinkingLength + this.#reasoning.sealedLength + this.#calls.length;
  }

  /** Whether the answer has no content and no usage yet. */
  get isEmpty(): boolean {
    return this.length === 0 && this.#usage === undefined;
  }

  /** Adds tokens once the answer has probabilities. */
  #addTokens(deltas: readonly Delta[], logprobs: unknown): void {
    const added = deltas.map(({ type, text }) => (type === 'text_delta' ? text : '')).join('');
    if (added === '') return;
    const tokens = tokensOf(added, logprobs);
    const isKnown = tokens.some(({ probability }) => probability !== undefined);
    if (this.#tokens.length === 0 && !isKnown) return;
    const before = this.#content.length - added.length;
    if (this.#tokens.length === 0 && before > 0) this.#tokens.push({ length: before, probability: undefined });
    for (const token of tokens) this.#tokens.push(token);
  }

  #addDelta(delta: CompletionDelta): Delta[] {
    const deltas: Delta[] = [];
    const thought = this.#reasoning.add(delta);
    if (thought !== '') deltas.push({ type: 'thinking_delta', text: thought });
    if (typeof delta.content === 'string') {
      deltas.push(...this.#addText(delta.content));
    } else {
      for (const part of objectsOf(delta.content)) deltas.push(...this.#addPart(part));
    }
    const refusal = textOf(delta.refusal);
    if (refusal !== undefined) {
      this.#isRefusal = true;
      deltas.push({ type: 'text_delta', text: refusal });
    }
    return deltas;
  }

  #count(deltas: Delta[]): Delta[] {
    for (const { type, text } of deltas) {
      if (type === 'text_delta') this.#content += text;
      else this.#thinkingLength += text.length;
    }
    return deltas;
  }

  /** Adds text of the content, whose beginning can be reasoning. */
  #addText(text: string): Delta[] {
    return this.#leading.add(text).map((piece) => this.#deltaOf(piece));
  }

  #deltaOf({ isThought, text }: { isThought: boolean; text: string }): Delta {
    if (isThought) this.#reasoning.addPart(text);
    return { type: isThought ? 'thinking_delta' : 'text_delta', text };
  }

  /** Adds a part of the content: text or thinking. */
  #addPart(part: Record<string, unknown>): Delta[] {
    const text = textOf(part['text']);
    if (text !== undefined) return this.#addText(text);
    const thought = objectsOf(part['thinking'])
      .map((inner) => textOf(inner['text']) ?? '')
      .join('');
    if (thought === '') return [];
    this.#reasoning.addPart(thought);
    return [{ type: 'thinking_delta', text: thought }];
  }
}

/** The tokens of a piece of content. If their texts do not match the piece, they become one with the lowest probability. */
function tokensOf(content: string, value: unknown): AnswerToken[] {
  const tokens = objectsOf(value);
  const probabilities = tokens.map(({ logprob }) =>
    typeof logprob === 'number' && !Number.isNaN(logprob) ? Math.exp(Math.min(0, logprob)) : undefined,
  );
  if (tokens.map(({ token }) => textOf(token) ?? '').join('') === content) {
    return tokens.map(({ token }, at) => ({ length: textOf(token)?.length ?? 0, probability: probabilities[at] }));
  }
  const known = probabilities.filter((probability) => probability !== undefined);
  // A short piece can be a character of several tokens. A long piece has too many tokens for one probability.
  const isShort = known.length > 0 && content.length <= maxUnalignedLength;
  return [{ length: content.length, probability: isShort ? Math.min(...known) : undefined }];
}

/** Maximum number of characters in a piece whose tokens are combined. */
const maxUnalignedLength = 16;

function usageOf(value: unknown): Omit<TokenUsage, 'estimated'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const counted = value as Record<string, unknown>;
  const { prompt_tokens, completion_tokens } = counted;
  if (typeof prompt_tokens !== 'number' && typeof completion_tokens !== 'number') return undefined;
  const cached_tokens = cachedTokensOf(counted);
  return {
    prompt_tokens: tokens(prompt_tokens),
    completion_tokens: tokens(completion_tokens),
    ...(cached_tokens !== undefined && { cached_tokens: Math.min(cached_tokens, tokens(prompt_tokens)) }),
  };
}

/** The number of cached tokens, from the field of OpenAI, Anthropic, DeepSeek or Gemini. */
function cachedTokensOf(counted: Record<string, unknown>): number | undefined {
  const details = counted['prompt_tokens_details'];
  const named = [
    typeof details === 'object' && details !== null ? (details as Record<string, unknown>)['cached_tokens'] : undefined,
    counted['cache_read_input_tokens'],
    counted['prompt_cache_hit_tokens'],
    counted['cached_content_token_count'],
    counted['cached_tokens'],
  ].find((each) => typeof each === 'number');
  return named === undefined ? undefined : tokens(named);
}

function tokens(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}
