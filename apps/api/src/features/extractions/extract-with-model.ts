import { addUsage, completeText, usageOf, type LlmClient } from '@docwright/agent-core';
import { DomainError, type Usage, type ValidationError } from '@docwright/contract';
import { extractionMessages, repairMessages, requestFormat, type ExtractionTask } from './extraction-request.ts';
import { parseModelAnswer } from './model-answer.ts';

export interface ModelExtraction {
  result: unknown;
  /** What still does not fit the schema. */
  validation_errors: ValidationError[];
  usage: Usage;
  /** The one that answered: with a fallback not always the one that was asked. */
  model: string;
}

/**
 * Asks the model once, and once more with the errors where its answer does not fit. What is no JSON at all is
 * `model_bad_answer`; a correction that is none leaves the first answer with its errors.
 */
export async function extractWithModel(input: {
  llm: LlmClient;
  model: string;
  task: ExtractionTask;
  validate: (result: unknown) => ValidationError[];
  signal: AbortSignal | undefined;
}): Promise<ModelExtraction> {
  const { llm, model, task, validate, signal } = input;
  const responseFormat = requestFormat(task.responseFormat);
  const ask = (messages: ReturnType<typeof extractionMessages>) =>
    completeText(llm, { model, messages, responseFormat, temperature: 0, ...(signal ? { signal } : {}) });

  const messages = extractionMessages(task);
  const first = await ask(messages);
  const firstUsage = usageOf(first.usage);
  const answer = parseModelAnswer(first.text);
  if (!answer) throw badAnswer(model, first.finishReason);
  const errors = validate(answer.value);
  if (errors.length === 0)
    return { result: answer.value, validation_errors: [], usage: firstUsage, model: first.model };

  const second = await ask(repairMessages(messages, first.text, errors));
  const usage = addUsage(firstUsage, usageOf(second.usage));
  const corrected = parseModelAnswer(second.text);
  if (!corrected) return { result: answer.value, validation_errors: errors, usage, model: first.model };
  return { result: corrected.value, validation_errors: validate(corrected.value), usage, model: second.model };
}

function badAnswer(model: string, finishReason: string): DomainError {
  const message =
    finishReason === 'length'
      ? `The answer of the model "${model}" was cut off at its output limit. Ask for fewer fields or choose a model with a larger one.`
      : `The model "${model}" did not answer with JSON. Run the extraction again, or choose another model for the prompt.`;
  return new DomainError('model_failed', 'model_bad_answer', message);
}
