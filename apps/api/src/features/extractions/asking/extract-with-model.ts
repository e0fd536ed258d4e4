import {
  addUsage,
  completeText,
  repairedJson,
  UnfinishedAnswerError,
  usageOf,
  type LlmClient,
} from '@docwright/agent-core';
import { DomainError, parseExactJson, type ExactJson, type Usage, type ValidationError } from '@docwright/contract';
import { extractionMessages, repairMessages, requestFormat, type ExtractionTask } from './extraction-request.ts';
import { formatWithAnnotations, splitAnswer, wantedAnnotations } from './annotations.ts';
import { valueDoubts } from './value-doubts.ts';
import type { ViewPages } from './page-views.ts';
import { exceedsExtent } from '../../schemas/index.ts';

export interface ModelExtraction {
  result: unknown;
  /** The errors that remain after the correction. */
  validation_errors: ValidationError[];
  usage: Usage;
  /** Paths that the model called uncertain; absent if there are none. */
  uncertain?: string[];
  /** By path, the words from which a value was taken; absent if they were not requested. */
  evidence?: Record<string, string>;
  /** The pages that the model got as images; none if its endpoint refused them. */
  seen?: number[];
  /** By path, the model's doubt in a value, 0 to 1, from the probabilities of its tokens if the endpoint returns them. */
  doubts?: Record<string, number>;
  /** By path, the digits of numbers that `result` had to round. */
  raw?: Record<string, string>;
  /** The answer was not plain JSON and has been repaired. */
  repaired?: true;
  /** The model that answered, which can be a fallback of the requested one. */
  model: string;
}

/**
 * Asks the model, and once more with the errors if its answer is not JSON or does not fit. Throws `model_bad_answer` if
 * neither answer is JSON. Without a complete correction, the first answer stays with its errors.
 */
export async function extractWithModel(input: {
  llm: LlmClient;
  model: string;
  task: ExtractionTask;
  validate: (result: unknown) => ValidationError[];
  signal: AbortSignal | undefined;
  /** For a model with vision. */
  view?: ViewPages | undefined;
}): Promise<ModelExtraction> {
  const { llm, model, task, validate, signal } = input;
  const views = (await input.view?.(task.pages)) ?? [];
  const wanted = wantedAnnotations(task.pages, task.evidence);
  const responseFormat = requestFormat(task.responseFormat && formatWithAnnotations(task.responseFormat, wanted));
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
  const seenBy = ({ imagesLeftOut }: Pick<typeof first, 'imagesLeftOut'>) =>
    imagesLeftOut === true ? [] : views.map(({ page_num }) => page_num);
  const read = answer && {
    ...readAnswer(answer, task, seenBy(first), validate),
    ...doubtsOf(first, answer.value, task),
  };
  if (read?.validation_errors.length === 0) return { ...read, usage: firstUsage, model: first.model };

  const errors = read?.validation_errors ?? [{ path: '', message: 'it is not one JSON object' }];
  const second = await ask(repairMessages(messages, first.text.slice(0, maxRepeated), errors)).catch(
    (error: unknown) => {
      if (read !== undefined && error instanceof UnfinishedAnswerError) return error;
      throw error;
    },
  );
  const usage = addUsage(firstUsage, usageOf(second.usage));
  const corrected = second instanceof UnfinishedAnswerError ? undefined : parseModelAnswer(second.text);
  if (second instanceof UnfinishedAnswerError || !corrected) {
    if (read === undefined) throw badAnswer(model);
    return { ...read, usage, model: first.model };
  }
  const doubts = doubtsOf(second, corrected.value, task);
  return { ...readAnswer(corrected, task, seenBy(second), validate), ...doubts, usage, model: second.model };
}

function doubtsOf(
  { text, tokens }: Awaited<ReturnType<typeof completeText>>,
  value: unknown,
  { responseFormat }: ExtractionTask,
): Pick<ModelExtraction, 'doubts'> {
  if (tokens === undefined) return {};
  const { isWrapped } = splitAnswer(value, responseFormat);
  const doubts = valueDoubts(text, tokens, isWrapped ? 'result.' : '');
  return Object.keys(doubts).length === 0 ? {} : { doubts };
}

function readAnswer(
  answer: ModelAnswer,
  { responseFormat }: ExtractionTask,
  seen: number[],
  validate: (result: unknown) => ValidationError[],
): Omit<ModelExtraction, 'usage' | 'model'> {
  const { result, uncertain, evidence, isWrapped } = splitAnswer(answer.value, responseFormat);
  const pathOf = (path: string) => (isWrapped ? path.replace(/^result\./, '') : path);
  const tooLarge = answer.unrepresentable.map((path) => ({
    path: pathOf(path),
    message: 'is a number beyond the range of numbers (about 1.8e308); it was kept as a text',
  }));
  const errorPaths = new Set(tooLarge.map(({ path }) => path));
  const raw = Object.entries(answer.raw).map(([path, digits]) => [pathOf(path), digits]);
  return {
    result,
    validation_errors: [...tooLarge, ...validate(result).filter(({ path }) => !errorPaths.has(path))],
    ...(raw.length > 0 && { raw: Object.fromEntries(raw) }),
    ...(answer.repaired && { repaired: answer.repaired }),
    ...(uncertain.length > 0 && { uncertain }),
    ...(Object.keys(evidence).length > 0 && { evidence }),
    ...(seen.length > 0 && { seen }),
  };
}

function badAnswer(model: string): DomainError {
  const message = `The model "${model}" did not answer with JSON, also when asked again. Choose another model for the prompt.`;
  return new DomainError('model_failed', 'model_bad_answer', message);
}

const maxCharacters = 2_000_000;
/** Characters of an answer that is sent back to be corrected. */
const maxRepeated = 200_000;
const maxExtent = { depth: 100, values: 100_000 };

interface ModelAnswer extends ExactJson {
  repaired?: true;
}

/**
 * Parses the JSON of a model's answer, with or without words or a fence around it, and repairs small errors. Undefined if it is not JSON, or exceeds the
 * limits of size and depth.
 */
function parseModelAnswer(text: string): ModelAnswer | undefined {
  if (text.length > maxCharacters) return undefined;
  const trimmed = text.trim();
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(trimmed)?.[1];
  const repairs = [() => fenced, () => repairedJson(fenced ?? trimmed)];
  const plain = parsedJson(trimmed);
  let answer: ModelAnswer | undefined = plain;
  // A text can be an answer that was encoded twice.
  for (const repair of plain === undefined || typeof plain.value === 'string' ? repairs : []) {
    const parsed = parsedJson(repair() ?? '');
    if (parsed === undefined) continue;
    answer = { ...parsed, repaired: true };
    break;
  }
  return answer === undefined || exceedsExtent(answer.value, maxExtent) ? undefined : answer;
}

function parsedJson(text: string): ExactJson | undefined {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
