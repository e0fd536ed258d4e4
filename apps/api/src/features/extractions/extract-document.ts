import type { LlmClient } from '@docwright/agent-core';
import type { ResponseFormat, ValidationError } from '@docwright/contract';
import type { VerifiedExample } from '../examples/index.ts';
import type { ViewPages } from './asking/page-views.ts';
import { CutAnswerError, extractWithModel, type ModelExtraction } from './extract-with-model.ts';
import { listsOf, partFormat } from './long/piece-schema.ts';
import { readDocument, type DocumentRead, type DocumentReading, type RequestAnswer } from './long/read-document.ts';

/** How a document is read by a model. */
export interface ExtractionSetup {
  llm: LlmClient;
  model: string;
  prompt: string;
  documentName: string;
  responseFormat: ResponseFormat | undefined;
  /** Verified results of other documents that each request shows. */
  examples: readonly VerifiedExample[];
  /** Whether the model names the words that it took values from. */
  evidence?: boolean | undefined;
  /** For a model that sees. */
  view?: ViewPages | undefined;
  /** Holds a result against a format; without one, it has to be an object. */
  validate: (format: ResponseFormat | undefined, result: unknown) => ValidationError[];
  signal: AbortSignal | undefined;
}

type Reading = Pick<DocumentReading, 'survey' | 'ground' | 'pagesBetween' | 'maxRequests'> &
  Partial<Pick<DocumentReading, 'stored' | 'onProgress'>>;

const notStored: DocumentReading['stored'] = { get: async () => undefined, save: async () => {} };

/** Extracts from a whole document: in one request where it fits into one, in pieces where it does not. */
export async function extractDocument(setup: ExtractionSetup, reading: Reading): Promise<DocumentRead> {
  const { responseFormat, validate, llm, model, signal } = setup;
  const ofPart = responseFormat && partFormat(responseFormat);
  return await readDocument({
    stored: notStored,
    onProgress: () => {},
    ...reading,
    lists: responseFormat ? listsOf(responseFormat) : [],
    validate: (result) => validate(responseFormat, result),
    extract: async ({ pages, part }) => {
      const format = part ? ofPart : responseFormat;
      const task = {
        prompt: setup.prompt,
        documentName: setup.documentName,
        pages,
        responseFormat: format,
        examples: setup.examples,
        evidence: setup.evidence,
        ...(part && { part }),
      };
      return await answerOf(
        extractWithModel({
          llm,
          model,
          task,
          validate: (result) => validate(format, result),
          signal,
          view: setup.view,
        }),
      );
    },
  });
}

/** An answer that was cut is no failure: its pages can be asked for in smaller pieces. */
async function answerOf(extracting: Promise<ModelExtraction>): Promise<RequestAnswer> {
  try {
    return { kind: 'read', ...(await extracting) };
  } catch (error) {
    if (error instanceof CutAnswerError) return { kind: 'cut', reason: error, usage: error.usage };
    throw error;
  }
}

/** Whether rows of tables can come into the result, which then bounds what one answer can hold. */
export function mayHoldRows(format: ResponseFormat | undefined): boolean {
  return format === undefined || listsOf(format).length > 0;
}
