import { addUsage, completeText, usageOf, type LlmClient } from '@docwright/agent-core';
import { DomainError, type Usage, type ValidationError } from '@docwright/contract';
import { extractionMessages, repairMessages, requestFormat, type ExtractionTask } from './extraction-request.ts';
import { formatWithBeside, partsOfAnswer, wantedBeside } from './asking/beside-result.ts';
import { valueDoubts } from './asking/value-doubts.ts';
import type { ViewPages } from './asking/page-views.ts';
import { exceedsExtent } from '../schemas/index.ts';

export interface ModelExtraction {
  result: unknown;
  /** What still does not fit the schema. */
  validation_errors: ValidationError[];
  usage: Usage;
  /** Paths that the model named as uncertain; absent where it named none. */
  uncertain?: string[];
  /** By path, the words that a value was taken from; absent where none were asked for. */
  evidence?: Record<string, string>;
  /** The pages that the model was shown as images. */
  seen?: number[];
  /** By path, how much the model doubts a value, 0 to 1: from the probabilities of its tokens, where the endpoint gives them. */
  doubts?: Record<string, number>;
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
  /** For a model that sees. */
  view?: ViewPages | undefined;
}): Promise<ModelExtraction> {
  const { llm, model, task, validate, signal } = input;
  const views = (await input.view?.(task.pages)) ?? [];
  const wanted = wantedBeside(task.pages, task.evidence);
  const responseFormat = requestFormat(task.responseFormat && formatWithBeside(task.responseFormat, wanted));
  const ask = (messages: ReturnType<typeof extractionMessages>) =>
    completeText(llm, {
      model,
      messages,
      responseFormat,
      temperature: 0,
      logprobs: true,
      ...(signal ? { signal } : {}),
    });

  const messages = extractionMessages(task, views);
  const first = await ask(messages);
  const firstUsage = usageOf(first.usage);
  const answer = parseModelAnswer(first.text);
  if (!answer) throw badAnswer(model, first.finishReason, firstUsage);
  const seen = views.map(({ page_num }) => page_num);
  const read = { ...readAnswer(answer.value, task, seen, validate), ...doubtsOf(first, answer.value, task) };
  if (read.validation_errors.length === 0) return { ...read, usage: firstUsage, model: first.model };

  const second = await ask(repairMessages(messages, first.text, read.validation_errors));
  const usage = addUsage(firstUsage, usageOf(second.usage));
  const corrected = parseModelAnswer(second.text);
  if (!corrected) return { ...read, usage, model: first.model };
  const doubts = doubtsOf(second, corrected.value, task);
  return { ...readAnswer(corrected.value, task, seen, validate), ...doubts, usage, model: second.model };
}

function doubtsOf(
  { text, tokens }: Awaited<ReturnType<typeof completeText>>,
  value: unknown,
  { responseFormat }: ExtractionTask,
): Pick<ModelExtraction, 'doubts'> {
  if (tokens === undefined) return {};
  const { isWrapped } = partsOfAnswer(value, responseFormat);
  const doubts = valueDoubts(text, tokens, isWrapped ? 'result.' : '');
  return Object.keys(doubts).length === 0 ? {} : { doubts };
}

function readAnswer(
  value: unknown,
  { responseFormat }: ExtractionTask,
  seen: number[],
  validate: (result: unknown) => ValidationError[],
): Omit<ModelExtraction, 'usage' | 'model'> {
  const { result, uncertain, evidence } = partsOfAnswer(value, responseFormat);
  return {
    result,
    validation_errors: validate(result),
    ...(uncertain.length > 0 && { uncertain }),
    ...(Object.keys(evidence).length > 0 && { evidence }),
    ...(seen.length > 0 && { seen }),
  };
}

/** An answer that stopped at the model's output limit. */
export class CutAnswerError extends DomainError {
  /** What it cost all the same. */
  readonly usage: Usage;

  constructor(model: string, usage: Usage) {
    super(
      'model_failed',
      'model_bad_answer',
      `The answer of the model "${model}" was cut off at its output limit. Ask for fewer fields or choose a model with a larger one.`,
    );
    this.usage = usage;
  }
}

function badAnswer(model: string, finishReason: string, usage: Usage): DomainError {
  if (finishReason === 'length') return new CutAnswerError(model, usage);
  const message = `The model "${model}" did not answer with JSON. Run the extraction again, or choose another model for the prompt.`;
  return new DomainError('model_failed', 'model_bad_answer', message);
}

const maxCharacters = 2_000_000;
const most = { depth: 100, values: 100_000 };

/**
 * The JSON of a model's answer; undefined if it is not JSON, or exceeds the limits of size and depth. Markdown fences
 * around it are taken off.
 */
function parseModelAnswer(text: string): { value: unknown } | undefined {
  if (text.length > maxCharacters) return undefined;
  const bare = text.trim();
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(bare)?.[1];
  for (const candidate of [bare, fenced]) {
    if (candidate === undefined) continue;
    try {
      const value: unknown = JSON.parse(candidate);
      return exceedsExtent(value, most) ? undefined : { value };
    } catch {
      // The next candidate, or none: the caller turns that into a failed run.
    }
  }
  return undefined;
}
