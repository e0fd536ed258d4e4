import type { AnswerToken, LlmChunk, ModelAnswer, TokenUsage } from '../llm-client.ts';
import { BadAnswerError } from '../model-errors.ts';
import { objectsOf, textOf, type CompletionChunk, type CompletionDelta } from './completion-chunk.ts';
import { ReasoningAccumulator } from './reasoning-accumulator.ts';
import { ToolCallAccumulator } from './tool-call-accumulator.ts';

type Delta = Extract<LlmChunk, { type: 'text_delta' | 'thinking_delta' }>;

const nothing: readonly Delta[] = [];

/** Characters of one answer: text, thinking and calls together. */
const maxAnswer = 4_000_000;

export interface FinishedAnswer {
  readonly answer: ModelAnswer;
  /** `missing` where the provider said none. */
  readonly finishReason: string;
  /** As the provider counted, else undefined. */
  readonly usage: Omit<TokenUsage, 'estimated'> | undefined;
  /** Characters written, for an estimate where nothing was counted. */
  readonly length: number;
}

/**
 * Makes one answer of the chunks of a stream, whatever dialect they are in. Pure: no clock, no network. Throws
 * BadAnswerError where the answer is larger than 4 MB, or the arguments of one of its calls than 1 MB.
 */
export class AnswerAccumulator {
  readonly #calls: ToolCallAccumulator;
  readonly #reasoning = new ReasoningAccumulator();
  #content = '';
  readonly #tokens: AnswerToken[] = [];
  #thinkingLength = 0;
  #finishReason: string | undefined;
  #usage: Omit<TokenUsage, 'estimated'> | undefined;

  constructor(isTool: (name: string) => boolean) {
    this.#calls = new ToolCallAccumulator(isTool);
  }

  /** Takes a chunk, gives what a reader should see of it at once. */
  add(chunk: CompletionChunk): readonly Delta[] {
    this.#usage = usageOf(chunk.usage) ?? this.#usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined || choice === null) return nothing;
    this.#finishReason = textOf(choice.finish_reason) ?? this.#finishReason;
    const delta = choice.delta ?? choice.message;
    if (delta === undefined || delta === null) return nothing;
    if (delta.tool_calls !== undefined) this.#calls.add(delta.tool_calls);
    const said = this.#said(delta);
    if (choice.logprobs || this.#tokens.length > 0) this.#addTokens(said, choice.logprobs?.content);
    if (this.length > maxAnswer) throw new BadAnswerError('more than 4 MB');
    return said;
  }

  /** `done`: the stream said that it ended, by `[DONE]`, and did not merely close. */
  finish(done: boolean): FinishedAnswer {
    const reason = this.#finishReason ?? 'missing';
    const toolCalls = this.#calls.finish(reason === 'length' || (reason === 'missing' && !done));
    return {
      answer: {
        content: this.#content,
        toolCalls,
        reasoning: this.#reasoning.finish(),
        ...(this.#tokens.length > 0 && { tokens: this.#tokens }),
        ...(this.#calls.omitted > 0 && { omittedCalls: this.#calls.omitted }),
      },
      finishReason: reason,
      usage: this.usage,
      length: this.length,
    };
  }

  /** So far, as `FinishedAnswer` says. */
  get usage(): Omit<TokenUsage, 'estimated'> | undefined {
    return this.#usage;
  }

  get length(): number {
    return this.#content.length + this.#thinkingLength + this.#reasoning.sealedLength + this.#calls.length;
  }

  /** Whether nothing was written and nothing counted yet. */
  get isEmpty(): boolean {
    return this.length === 0 && this.#usage === undefined;
  }

  /** Nothing is kept of an answer that has no probabilities. */
  #addTokens(said: readonly Delta[], logprobs: unknown): void {
    const added = said.map(({ type, text }) => (type === 'text_delta' ? text : '')).join('');
    if (added === '') return;
    const tokens = tokensOf(added, logprobs);
    const isKnown = tokens.some(({ probability }) => probability !== undefined);
    if (this.#tokens.length === 0 && !isKnown) return;
    const before = this.#content.length - added.length;
    if (this.#tokens.length === 0 && before > 0) this.#tokens.push({ length: before, probability: undefined });
    for (const token of tokens) this.#tokens.push(token);
  }

  #said(delta: CompletionDelta): Delta[] {
    const deltas: Delta[] = [];
    const thought = this.#reasoning.add(delta);
    if (thought !== '') deltas.push({ type: 'thinking_delta', text: thought });
    if (typeof delta.content === 'string') {
      if (delta.content !== '') deltas.push({ type: 'text_delta', text: delta.content });
    } else {
      for (const part of objectsOf(delta.content)) deltas.push(...this.#saidInPart(part));
    }
    const refusal = textOf(delta.refusal);
    if (refusal !== undefined) deltas.push({ type: 'text_delta', text: refusal });
    for (const { type, text } of deltas) {
      if (type === 'text_delta') this.#content += text;
      else this.#thinkingLength += text.length;
    }
    return deltas;
  }

  /** Content as a list of parts, text and thinking among them. */
  #saidInPart(part: Record<string, unknown>): Delta[] {
    const text = textOf(part['text']);
    if (text !== undefined) return [{ type: 'text_delta', text }];
    const thought = objectsOf(part['thinking'])
      .map((inner) => textOf(inner['text']) ?? '')
      .join('');
    if (thought === '') return [];
    this.#reasoning.addPart(thought);
    return [{ type: 'thinking_delta', text: thought }];
  }
}

/** Tokens that came with a piece of the content; where their texts are not the piece, the least probable speaks for all. */
function tokensOf(content: string, value: unknown): AnswerToken[] {
  const tokens = objectsOf(value);
  const probabilities = tokens.map(({ logprob }) =>
    typeof logprob === 'number' && !Number.isNaN(logprob) ? Math.exp(Math.min(0, logprob)) : undefined,
  );
  if (tokens.map(({ token }) => textOf(token) ?? '').join('') === content) {
    return tokens.map(({ token }, at) => ({ length: textOf(token)?.length ?? 0, probability: probabilities[at] }));
  }
  const known = probabilities.filter((probability) => probability !== undefined);
  // Characters of several tokens come in one piece; a whole answer does, too, and tells nothing of its parts.
  const isOnePlace = known.length > 0 && content.length <= maxUnaligned;
  return [{ length: content.length, probability: isOnePlace ? Math.min(...known) : undefined }];
}

/** In characters: a piece of more is not taken to be one place. */
const maxUnaligned = 16;

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

/** OpenAI's field first, then those of Anthropic, DeepSeek and Gemini as proxies pass them on. */
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
