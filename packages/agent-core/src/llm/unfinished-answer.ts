import { DomainError } from '@docwright/contract';
import type { LlmChunk, TokenUsage } from './llm-client.ts';

type Finish = Pick<Extract<LlmChunk, { type: 'finish' }>, 'answer' | 'finishReason' | 'usage'>;

const cutReasons = /^(length|max_tokens|max_output_tokens|model_length)$/i;
const filterReasons =
  /content_?filter|^(safety|recitation|prohibited_content|blocklist|spii|image_safety|sensitive|language)$|guardrail/i;
const errorReasons = /^(error|malformed_function_call|network_error|insufficient_system_resource|other|abort)$/i;

/** An answer that is not one, although the service reported success. It has a cost all the same. */
export class UnfinishedAnswerError extends DomainError {
  readonly usage: TokenUsage;

  constructor(code: string, message: string, usage: TokenUsage) {
    super('model_failed', code, message);
    this.usage = usage;
  }
}

/**
 * The failure of an answer that was cut, filtered, refused or is empty; undefined for a whole answer. Calls of a cut answer
 * still count: those that are complete run, and the model gets an error for the one that was cut.
 *
 * @example
 * import { unfinishedAnswer, type LlmChunk } from '@docwright/agent-core';
 *
 * declare const chunk: Extract<LlmChunk, { type: 'finish' }>;
 * const failure = unfinishedAnswer(chunk, 'gpt-4o');
 * if (failure) throw failure;
 */
export function unfinishedAnswer(finish: Finish, model: string): UnfinishedAnswerError | undefined {
  const { answer, finishReason, usage } = finish;
  const name = `The model "${answer.model ?? model}"`;
  const failure = (code: string, message: string) => new UnfinishedAnswerError(code, `${name} ${message}`, usage);
  if (filterReasons.test(finishReason)) {
    return failure(
      'model_content_filtered',
      'was stopped by the content filter of its service. What came before is incomplete. Word the request differently or choose another model.',
    );
  }
  if (answer.isRefusal === true || /^refus/i.test(finishReason)) {
    return failure('model_declined', 'declined to answer. Word the request differently or choose another model.');
  }
  const hasCalls = answer.toolCalls.length > 0;
  if (errorReasons.test(finishReason) && !hasCalls) {
    return failure('model_unavailable', 'broke off its answer with an error. Try again, or choose another model.');
  }
  if (hasCalls) return undefined;
  if (cutReasons.test(finishReason)) {
    return failure(
      'model_answer_cut',
      'stopped at its output limit: the answer was cut off and is incomplete. Ask for less at once, or choose a model with a larger limit.',
    );
  }
  if (answer.content.trim() !== '') return undefined;
  const what = answer.reasoning.length > 0 ? 'only thought and gave no answer' : 'gave an empty answer';
  return failure('model_empty_answer', `${what}. Try again, or choose another model.`);
}
