import { UnfinishedAnswerError, usageOf, type LlmClient } from '@docwright/agent-core';
import type { ResponseFormat, UnreadPart, ValidationError } from '@docwright/contract';
import type { VerifiedExample } from '../examples/index.ts';
import type { ViewPages } from './asking/page-views.ts';
import { extractWithModel, type ModelExtraction } from './asking/extract-with-model.ts';
import { issuesNearUnread, pagesReadInPart } from './long/near-unread.ts';
import { listsOf, partFormat } from './long/piece-schema.ts';
import { readDocument, type DocumentRead, type DocumentReading, type RequestAnswer } from './long/read-document.ts';

/** The settings with which a model reads a document. */
interface ExtractionSetup {
  llm: LlmClient;
  model: string;
  prompt: string;
  documentName: string;
  /** What of the document could not be read. */
  unread?: readonly UnreadPart[] | undefined;
  responseFormat: ResponseFormat | undefined;
  /** Verified results of other documents, shown in each request. */
  examples: readonly VerifiedExample[];
  /** Whether to ask the model for the words from which it took each value. */
  evidence?: boolean | undefined;
  /** For a model with vision. */
  view?: ViewPages | undefined;
  /** Validates a result against a format. Without a format, the result must be an object. */
  validate: (format: ResponseFormat | undefined, result: unknown) => ValidationError[];
  signal: AbortSignal | undefined;
}

type Reading = Pick<DocumentReading, 'survey' | 'ground' | 'pagesBetween' | 'textsBetween' | 'maxRequests'> &
  Partial<Pick<DocumentReading, 'stored' | 'onProgress'>>;

const notStored: DocumentReading['stored'] = { get: async () => undefined, save: async () => {} };

/** Extracts from a whole document: in one request if it fits, else in pieces. */
export async function extractDocument(setup: ExtractionSetup, reading: Reading): Promise<DocumentRead> {
  const { responseFormat, validate, llm, model, signal } = setup;
  const ofPart = responseFormat && partFormat(responseFormat);
  const read = await readDocument({
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
        unread: setup.unread,
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
  const partly = pagesReadInPart(reading.survey.pages, setup.unread);
  const unreadIssues = issuesNearUnread(responseFormat, read.result, partly);
  return { ...read, issues: [...read.issues, ...unreadIssues] };
}

/** Returns a cut answer as a value instead of an error: its pages can be asked for in smaller pieces. */
async function answerOf(extracting: Promise<ModelExtraction>): Promise<RequestAnswer> {
  try {
    return { kind: 'read', ...(await extracting) };
  } catch (error) {
    if (error instanceof UnfinishedAnswerError && error.code === 'model_answer_cut') {
      return { kind: 'cut', reason: error, usage: usageOf(error.usage) };
    }
    throw error;
  }
}

/** Whether the result can have rows of tables. If so, the rows on its pages limit the size of a piece. */
export function canHaveRows(format: ResponseFormat | undefined): boolean {
  return format === undefined || listsOf(format).length > 0;
}
